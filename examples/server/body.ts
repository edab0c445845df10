import type { MiddlewareHandler } from 'hono';
import { DroppedError } from './dropped.ts';
import type { Environment } from './environment.ts';
import type { Json } from './json.ts';
import { ProblemError } from './problem.ts';

/** The longest body that the server reads, in bytes: 1 MB. */
export const longestBody = 1_000_000;

/**
 * Reads the body of each request into `c.var.body`. Answers 413 when it is longer than {@link longestBody},
 * without reading the rest.
 */
export const readBody: MiddlewareHandler<Environment> = async (c, next) => {
  if (Number(c.req.header('Content-Length') ?? 0) > longestBody) throw tooLong();
  const body = await readText(c.req.raw.body);
  c.set('body', body);
  c.var.recording.body(body);
  await next();
};

/** Parses a body as JSON. Throws a 400 problem if it is not valid. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new ProblemError(
      400,
      text === '' ? 'The body is empty; JSON was expected.' : 'The body is not valid JSON.',
    );
  }
}

async function readText(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  if (stream === null) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of untilDropped(stream)) {
    length += chunk.byteLength;
    if (length > longestBody) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function* untilDropped(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new DroppedError('client', error);
  }
}

function tooLong(): ProblemError {
  return new ProblemError(413, `The body is longer than ${String(longestBody)} bytes.`);
}
