import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { answer, json, ordinary } from './answers.ts';
import { afterwards, finish, lines, reset } from './raw.ts';
import type { Hit, Route, Routes } from './route.ts';

/** A route that sends half an answer, with a known length or in chunks, and then acts. */
const half =
  (then: (hit: Hit) => void, { code = 200, isChunked = false } = {}): Route =>
  (hit) => {
    const text = ordinary(hit);
    hit.response.setHeader('content-type', json);
    if (!isChunked) hit.response.setHeader('content-length', text.length);
    hit.response.writeHead(code);
    hit.response.write(text.slice(0, text.length / 2));
    afterwards(() => {
      then(hit);
    });
  };

/** A route that sends a few bytes at a time, until the client leaves or the pieces end. */
const drip =
  (piecesOf: (text: string) => Iterator<string, undefined>): Route =>
  (hit) => {
    const pieces = piecesOf(ordinary(hit));
    hit.response.writeHead(200, { 'content-type': json });
    const timer = setInterval(() => {
      const { value } = pieces.next();
      if (value === undefined) hit.response.end();
      else hit.response.write(value);
    }, 4);
    hit.response.on('close', () => {
      clearInterval(timer);
    });
  };

/** A few characters at a time. */
function* crumbs(text: string): Generator<string, undefined> {
  for (let place = 0; place < text.length; place += 8) yield text.slice(place, place + 8);
}

function* forEver(text: string): Generator<string, undefined> {
  for (;;) yield text;
}

/** A route that compresses the answer. */
const packed = (encoding: string, pack: (text: string) => string | Buffer): Route =>
  answer((hit) => pack(ordinary(hit)), { 'content-type': json, 'content-encoding': encoding });

/** A route that sends more bytes than announced. */
const more =
  (extra: string): Route =>
  (hit) => {
    const text = ordinary(hit);
    hit.response.writeHead(200, { 'content-type': json, 'content-length': text.length }).end(text + extra);
  };

/** A route that writes the raw response, line by line, and ends the connection. */
const spoken =
  (linesOf: (text: string, length: number) => string[]): Route =>
  (hit) => {
    const text = ordinary(hit);
    const [line = '', ...rest] = linesOf(text, text.length);
    finish(hit, [line, 'connection: close', ...rest].join('\r\n'));
  };

/** Answers whose bodies end early, late or never, or come in an unusual form. */
export const bodies: Routes = {
  'reset-mid-body': half(reset),
  'fin-mid-body': half(finish),
  'chunk-truncated': half(finish, { isChunked: true }),
  'bad-chunk': half(
    (hit) => {
      finish(hit, lines('zz', '{}', '0', ''));
    },
    { isChunked: true },
  ),
  'gzip-bad': packed('gzip', (text) => text),
  'brotli-bad': packed('br', (text) => text),
  // Without real compression, so that half of it is half the text.
  'gzip-cut': packed('gzip', (text) => gzipSync(text, { level: 0 }).subarray(0, text.length / 2 + 15)),
  'hang-body': half(() => undefined),
  infinite: drip(forEver),
  'error-hang-body': half(() => undefined, { code: 500 }),
  'error-cut-body': half(finish, { code: 500 }),

  drip: drip(crumbs),
  gzip: packed('gzip', gzipSync),
  deflate: packed('deflate', deflateSync),
  brotli: packed('br', brotliCompressSync),
  'early-hints': (hit) => {
    hit.response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    answer(ordinary)(hit);
  },
  http10: spoken((text) => ['HTTP/1.0 200 OK', '', text]),
  'no-reason': spoken((text, length) => ['HTTP/1.1 200', `content-length: ${length}`, '', text]),
  trailers: spoken((text, length) => [
    'HTTP/1.1 200 OK',
    'transfer-encoding: chunked',
    'trailer: x-sum',
    '',
    `${length.toString(16)};name="value"`,
    text,
    '0',
    'x-sum: 7',
    '',
    '',
  ]),
  'double-response': more(lines('HTTP/1.1 200 OK', 'content-length: 8', '', '{"id":9}')),
  'extra-body-bytes': more('{"id":9}'),
  'body-204': spoken((text, length) => ['HTTP/1.1 204 No Content', `content-length: ${length}`, '', text]),
  'body-205': spoken((text, length) => ['HTTP/1.1 205 Reset Content', `content-length: ${length}`, '', text]),
};
