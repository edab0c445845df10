/** The parts of json-server that the specs use, which has no types. Its own program would listen on all interfaces. */
declare module 'json-server/lib/app.js' {
  import type { RequestListener } from 'node:http';

  /** Makes a server for some tables; `write` would store them. */
  export function createApp(database: {
    readonly data: Readonly<Record<string, readonly object[]>>;
    write(): Promise<void>;
  }): { readonly handler: RequestListener };
}
