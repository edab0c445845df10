import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { withPerson } from '../person';
import { watch } from '../watch';

/** A body that counts the chunks that are pulled, and ends after `count`. */
function chunks(size: number, count: number) {
  const source = {
    given: 0,
    isCancelled: false,
    body: new ReadableStream({
      pull: (controller) => {
        source.given += 1;
        controller.enqueue(new Uint8Array(size));
        if (source.given === count) controller.close();
      },
      cancel: () => {
        source.isCancelled = true;
      },
    }),
  };
  return source;
}

describe('the body of the answer to a destroy', () => {
  const answered = async (size: number, count: number, status = 200) => {
    const source = chunks(size, count);
    const { person, server } = withPerson();
    const destroyed = watch(person.destroy$());
    server.at(0).respond(new Response(source.body, { status }));
    await setImmediate();
    return { source, destroyed };
  };

  it('is read to its end, so that the connection is reused', async () => {
    expect((await answered(10, 5)).source.given).toBe(5);
  });

  it('is read no further than the first MiB', async () => {
    const { source } = await answered(2 ** 18, 64);

    // Four chunks, plus those buffered by the streams in between.
    expect(source.given).toBeGreaterThanOrEqual(4);
    expect(source.given).toBeLessThanOrEqual(6);
  });

  it('is cancelled when the record is disposed of after that', async () => {
    const source = chunks(2 ** 18, 64);
    const { person, server } = withPerson();
    watch(person.destroy$());
    server.at(0).respond(new Response(source.body));
    await setImmediate();

    person.dispose();
    await setImmediate();

    expect(source.isCancelled).toBe(true);
  });

  it('is then cancelled only by the caller', async () => {
    const { source, destroyed } = await answered(2 ** 18, 64);
    const before = source.isCancelled;

    await destroyed.responses[0]?.body?.cancel();

    expect([before, source.isCancelled]).toStrictEqual([false, true]);
  });

  it('is read no further once the record is disposed of', async () => {
    const source = chunks(1, 64);
    const { person, server } = withPerson();
    watch(person.destroy$());
    server.at(0).respond(new Response(source.body));

    person.dispose();
    await setImmediate();

    expect(source.given).toBeLessThan(4);
    expect(source.isCancelled).toBe(true);
  });

  it('stays with a caller who reads it right after the record is disposed of', async () => {
    const { person, server } = withPerson();
    const done = person.destroy();
    server.at(0).respond(new Response(chunks(10, 5).body));
    const response = await done;

    person.dispose();

    expect((await response.arrayBuffer()).byteLength).toBe(50);
  });

  it('may be that of a stand-in which cannot be cancelled', async () => {
    const { person, server } = withPerson();
    const done = person.destroy();
    const reader = { read: () => new Promise(() => undefined) };
    const standIn = {
      ok: true,
      status: 200,
      body: {},
      text: () => '',
      clone: () => ({ body: { getReader: () => reader } }),
    };
    server.at(0).respond(standIn as never);
    await done;

    expect(() => {
      person.dispose();
    }).not.toThrow();
  });

  it('stays with a caller who is reading it while the record is disposed of', async () => {
    const source = chunks(10, 5);
    const { person, server } = withPerson();
    const destroyed = watch(person.destroy$());
    server.at(0).respond(new Response(source.body));
    const read = destroyed.responses[0]?.arrayBuffer();

    person.dispose();

    expect((await read)?.byteLength).toBe(50);
  });

  it('is left to the caller if the answer refuses', async () => {
    const { source } = await answered(2 ** 18, 64, 500);

    expect(source.given).toBeLessThan(4);
  });

  it('can still be read by the caller', async () => {
    const { destroyed } = await answered(10, 5);

    expect((await destroyed.responses[0]?.arrayBuffer())?.byteLength).toBe(50);
  });
});
