import { Subject, skip } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import type { Parse } from 'rivulet';

import { withPeople } from '../people';
import { withPerson } from '../person';
import type { Person, PersonSetup } from '../person';
import { watch } from '../watch';

describe('abort', () => {
  it.each(['save', 'fetch', 'destroy'] as const)(
    'by a signal rejects %s with the identical reason',
    async (method) => {
      const { person, server } = withPerson();
      const controller = new AbortController();
      const reason = { any: 'thing' };

      const done = person[method]({ signal: controller.signal });
      controller.abort(reason);

      await expect(done).rejects.toBe(reason);
      expect(server.at(0).request.signal).toMatchObject({ aborted: true, reason });
    },
  );

  it("by a signal without a reason rejects with the platform's AbortError", async () => {
    const { person } = withPerson();
    const controller = new AbortController();

    const done = person.fetch({ signal: controller.signal });
    controller.abort();

    await expect(done).rejects.toBe(controller.signal.reason);
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('before the call rejects with the reason, and nothing is sent', () => {
    const { person, server } = withPerson();
    const reason = new Error('too late');

    const { error } = watch(person.fetch$({ signal: AbortSignal.abort(reason) }));

    expect(error).toBe(reason);
    expect(server.sent).toStrictEqual([]);
  });

  it('writes nothing', () => {
    const { person, server } = withPerson();
    const controller = new AbortController();
    watch(person.fetch$({ signal: controller.signal }));

    controller.abort();
    server.at(0).ok({ name: 'Eve' });

    expect(person.name.value).toBe('Ann');
  });

  it('leaves error$ as it was', () => {
    const { person, server } = withPerson();
    const controller = new AbortController();
    const failure = new Error('network');
    watch(person.fetch$());
    server.at(0).fail(failure);
    watch(person.fetch$({ signal: controller.signal }));

    controller.abort(new Error('reason'));

    expect(person.error$.value).toBe(failure);
  });

  it('by a signal of the configuration rejects with its reason', () => {
    const controller = new AbortController();
    const { person, server } = withPerson({ config: { fetchOptions: { signal: controller.signal } } });
    const reason = new Error('enough');
    const fetched = watch(person.fetch$());

    controller.abort(reason);

    expect(fetched.error).toBe(reason);
    expect(server.at(0).request.signal).toMatchObject({ aborted: true, reason });
  });

  it('by a signal of the root rejects with its reason, although the call has a signal too', () => {
    const controller = new AbortController();
    const { person } = withPerson({ options: { fetchOptions: { signal: controller.signal } } });
    const reason = new Error('enough');
    const fetched = watch(person.fetch$({ signal: new AbortController().signal }));

    controller.abort(reason);

    expect(fetched.error).toBe(reason);
  });

  it.each<[string, (signal: AbortSignal, parse: Parse) => PersonSetup]>([
    ['the configuration', (signal, parse) => ({ config: { fetchOptions: { signal }, parse } })],
    ['the root', (signal, parse) => ({ options: { fetchOptions: { signal } }, config: { parse } })],
  ])('by a signal of %s ends a request during its parse', (_, setup) => {
    const controller = new AbortController();
    const parsed$ = new Subject();
    const { person, server } = withPerson(setup(controller.signal, () => parsed$));
    const read = watch(person.fetch$());
    server.at(0).ok({ name: 'Eve' });
    const reason = new Error('logged out');

    controller.abort(reason);

    expect([read.error, person.isReading$.value, parsed$.observed]).toStrictEqual([reason, false, false]);
  });

  it('listens to a signal only as long as the request is open', () => {
    const { person, server } = withPerson();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    watch(person.fetch$({ signal }));
    const whileOpen = added.mock.calls.length - removed.mock.calls.length;

    server.at(0).ok();

    expect(whileOpen).toBeGreaterThan(0);
    expect(removed.mock.calls.map(([, listener]) => listener)).toStrictEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });

  it('of a collection rejects with the reason, and leaves error$ as it was', () => {
    const { people, server } = withPeople();
    const controller = new AbortController();
    const reason = { any: 'thing' };
    const fetched = watch(people.fetch$({ signal: controller.signal }));

    controller.abort(reason);

    expect(fetched.error).toBe(reason);
    expect([server.at(0).request.signal.aborted, people.error$.value]).toStrictEqual([true, null]);
  });

  it.each<readonly [string, (person: Person, controller: AbortController) => void]>([
    [
      'a signal',
      (_, controller) => {
        controller.abort();
      },
    ],
    [
      'disposal',
      (person) => {
        person.dispose();
      },
    ],
  ])('by %s is reported once flags are down, edits restored and the transport aborted', (_, end) => {
    const { person, server } = withPerson();
    const controller = new AbortController();
    person.name.next('Anna');
    const { isSaving$, isUpdating$, requestInProgress$ } = person;
    const seen: unknown[] = [];
    person.save$({ signal: controller.signal, rollback: 'abort' }).subscribe({
      error: () => {
        const flags = [isSaving$, isUpdating$, requestInProgress$].map(({ value }) => value);
        seen.push(flags, person.name.value, server.at(0).request.signal.aborted);
      },
    });

    end(person, controller);

    expect(seen).toStrictEqual([[false, false, false], 'Ann', true]);
  });

  it.each(['fetch$', 'save$', 'destroy$'] as const)(
    'ignores an answer to %s that arrives as its flag falls',
    (method) => {
      const { person, server } = withPerson();
      const controller = new AbortController();
      watch(person[method]({ signal: controller.signal }));
      person.requestInProgress$.pipe(skip(1)).subscribe(() => {
        server.at(0).ok({ id: 8, name: 'Late' });
      });

      controller.abort();

      expect(server.at(0).request.signal.aborted).toBe(true);
      expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
    },
  );
});
