import type { Socket } from 'node:net';

import { ordinary } from './answers.ts';
import { afterwards, finish, lines, opening, reset } from './raw.ts';
import type { Hit, Route, Routes } from './route.ts';

/** A route that ends the connection after these bytes. */
const last =
  (...each: string[]): Route =>
  (hit) => {
    finish(hit, lines(...each));
  };

function resetMidHeaders(hit: Hit): void {
  hit.socket.write(opening());
  afterwards(() => {
    reset(hit);
  });
}

/** The sockets that have carried one answer. */
const used = new WeakSet<Socket>();

/** Answers once on a connection; the next request on it closes it. */
function keepaliveKill(hit: Hit): void {
  if (used.has(hit.socket)) {
    finish(hit);
    return;
  }
  used.add(hit.socket);
  hit.response.end(ordinary(hit));
}

const ok = 'HTTP/1.1 200 OK';

/** Connections that end, stall or turn out to speak another protocol before an answer has begun. */
export const connections: Routes = {
  reset,
  close: last(),
  'reset-mid-headers': resetMidHeaders,
  'half-headers': last(ok, 'content-type: appli'),
  'bad-status-line': last('HTTP/banana 200 OK', '', '{}'),
  'not-http': last('SSH-2.0-OpenSSH_9.6'),
  'bad-header': last(ok, 'x-name: a\0b', '', '{}'),
  'dup-content-length': last(ok, 'content-length: 2', 'content-length: 3', '', '{}'),
  'length-and-chunks': last(ok, 'content-length: 2', 'transfer-encoding: chunked', '', '2', '{}', '0', ''),
  'header-overflow': last(ok, `x-long: ${'x'.repeat(2 ** 17)}`, '', '{}'),
  'switching-protocols': last('HTTP/1.1 101 Switching Protocols', 'upgrade: x', 'connection: upgrade', ''),
  'continue-first': last('HTTP/1.1 100 Continue', '', ok, 'content-length: 2', '', '{}'),
  'keepalive-kill': keepaliveKill,
  hang: () => undefined,
  'hang-headers': ({ socket }) => {
    socket.write(opening());
  },
};
