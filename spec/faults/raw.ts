import type { Socket } from 'node:net';

import { json } from './answers.ts';
import type { Hit } from './route.ts';

/** The sockets that the server itself has ended. */
const ended = new WeakSet<Socket>();

/** Whether the server itself has ended a socket. */
export const hasEnded = (socket: Socket): boolean => ended.has(socket);

/** Lines as in HTTP, each terminated. */
export const lines = (...each: string[]): string => [...each, ''].join('\r\n');

/** The beginning of a good answer, up to the blank line that would end its headers. */
export const opening = (...headers: string[]): string =>
  lines('HTTP/1.1 200 OK', `content-type: ${json}`, ...headers);

/** Ends the connection normally, after some last bytes. */
export function finish({ socket }: Hit, bytes: string | Buffer = ''): void {
  ended.add(socket);
  socket.end(bytes);
}

/** Resets the connection. */
export function reset({ socket }: Hit): void {
  ended.add(socket);
  socket.resetAndDestroy();
}

/**
 * Acts once the client has read what was sent so far: a reset would discard even that. After the timer there is one
 * round of input before `setImmediate`, so a client in the same process has had its turn.
 */
export function afterwards(act: () => void): void {
  setTimeout(() => setImmediate(act), 10);
}
