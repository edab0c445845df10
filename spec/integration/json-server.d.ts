/** What the specs use of json-server, which comes without types. Its program would listen on all interfaces. */
declare module 'json-server/lib/app.js' {
  import type { RequestListener } from 'node:http';

  /** Makes the server of some tables; `write` would store them. */
  export function createApp(database: {
    readonly data: Readonly<Record<string, readonly object[]>>;
    write(): Promise<void>;
  }): { readonly handler: RequestListener };
}
