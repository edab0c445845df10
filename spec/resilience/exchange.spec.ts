import { expect, it, vi } from 'vitest';

import { discard, isRepeatable } from '../../lib/resilience/exchange';

it('cancels a body, so that its connection can be reused', () => {
  const cancel = vi.fn();
  discard(new Response(new ReadableStream({ cancel })));
  expect(cancel).toHaveBeenCalledOnce();
});

it('leaves a body to its reader, without a rejection', async () => {
  const response = new Response('read');
  const reading = response.text();
  discard(response);
  await expect(reading).resolves.toBe('read');
});

it('does nothing without a body', () => {
  expect(() => {
    discard(new Response(null));
  }).not.toThrow();
});

it('counts a stream as used up, even in a browser where it cannot be iterated', () => {
  class Stream {
    readonly locked = false;
  }
  vi.stubGlobal('ReadableStream', Stream);
  expect(isRepeatable({ body: new Stream() } as never)).toBe(false);
});
