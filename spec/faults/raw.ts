import type { Socket } from 'node:net';

import { json } from './answers.ts';
import type { Hit } from './route.ts';

/** The sockets that the server itself has ended. */
const ended = new WeakSet<Socket>();

/** Whether the server itself has ended a socket. */
export const hasEnded = (socket: Socket): boolean => ended.has(socket);

/** Lines as HTTP has them, the last one ended too. */
export const lines = (...each: string[]): string => [...each, ''].join('\r\n');

/** The beginning of a good answer, up to the blank line that would end its head. */
export const opening = (...headers: string[]): string =>
  lines('HTTP/1.1 200 OK', `content-type: ${json}`, ...headers);

/** Ends the connection in good order, after some last bytes. */
export function finish({ socket }: Hit, bytes: string | Buffer = ''): void {
  ended.add(socket);
  socket.end(bytes);
}

/** Breaks the connection off. */
export function reset({ socket }: Hit): void {
  ended.add(socket);
  socket.resetAndDestroy();
}

/**
 * Acts once the client has read what was sent so far: a reset would take away even that. After the timer comes one
 * round of input before `setImmediate`, so a client in this very process has had its turn.
 */
export function afterwards(act: () => void): void {
  setTimeout(() => setImmediate(act), 10);
}
