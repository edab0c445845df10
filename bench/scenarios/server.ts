import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Starts a server that sends these bodies in turn, in a process that ends with this one; returns its url. */
export async function startServer(bodies: readonly string[]): Promise<string> {
  const server = fork(fileURLToPath(import.meta.url), bodies);
  const [port] = (await once(server, 'message')) as [number];
  return `http://127.0.0.1:${port}/records`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bodies = process.argv.slice(2);
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodies[count % bodies.length]);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}
