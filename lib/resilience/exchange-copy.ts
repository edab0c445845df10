import type { Exchange } from '../index';

/** An answer to read, and data to change, without affecting the others. */
export function copyOf(exchange: Exchange): Exchange {
  const { response } = exchange;
  // A stand-in may lack `clone`, and an answer that an interceptor has read has nothing left to copy.
  const isFinal = response.bodyUsed || !('clone' in response);
  return {
    ...exchange,
    // An answer not made by `fetch` may have had its url assigned, which a clone lacks.
    response: isFinal ? response : Object.defineProperty(response.clone(), 'url', { value: response.url }),
    body: dataCopy(exchange.body),
  };
}

/** A copy of lists and plain objects; anything else, such as an instance that an interceptor has made, stays what it is. */
function dataCopy(data: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (data !== Object(data)) return data;
  const prototypes: unknown[] = [Object.prototype, Array.prototype, null];
  if (!prototypes.includes(Object.getPrototypeOf(data))) return data;
  const known = copies.get(data);
  if (known) return known;
  // All keys are its own from the start: no assignment reaches a prototype, not even that of `__proto__`.
  const copy = (Array.isArray(data) ? data.slice() : { ...(data as object) }) as Record<string, unknown>;
  // Before its parts, which may refer to it.
  copies.set(data, copy);
  for (const key of Object.keys(copy)) copy[key] = dataCopy(copy[key], copies);
  return copy;
}
