import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/**
 * Serves the running test on a free port of this machine, in this process; closed after the test.
 *
 * Its url, and the requests so far: `PUT /people/1`.
 */
export async function listen(listener: RequestListener): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = [];
  const server = createServer((request, response) => {
    lines.push(`${String(request.method)} ${String(request.url)}`);
    listener(request, response);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, lines };
}
