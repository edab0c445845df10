import { expect, it, vi } from 'vitest';

import { discard } from '../../lib/resilience/exchange';

it('cancels a body, so that its connection can serve again', () => {
  const cancel = vi.fn();
  discard(new Response(new ReadableStream({ cancel })));
  expect(cancel).toHaveBeenCalledOnce();
});

it('leaves a body to whoever reads it, without a rejection', async () => {
  const response = new Response('read');
  const reading = response.text();
  discard(response);
  await expect(reading).resolves.toBe('read');
});

it('has nothing to do where there is no body', () => {
  expect(() => {
    discard(new Response(null));
  }).not.toThrow();
});
