import { setImmediate as turn } from 'node:timers/promises';

import { Subject, map } from 'rxjs';
import type { BehaviorSubject, Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, DataModel, Lib } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import { etags, mergeConflicts } from 'rivulet/etag';
import { followChanges } from 'rivulet/live';
import type { Change } from 'rivulet/live';
import { TestClock, TestServer } from 'rivulet/testing';

import { run } from '../markdown';
import { watch } from '../watch';

interface Task {
  readonly id: number;
  readonly title: string;
  readonly place: number;
}

const version = (number: number) => ({ headers: { etag: `"${String(number)}"` } });

/** A task that was read in its first version, to be moved as in the guide. */
async function withTask() {
  const { moves$, move$ } = (await run('moves$', [])) as {
    readonly moves$: BehaviorSubject<number>;
    readonly move$: (task: DataModel, place: number) => Observable<Response>;
  };
  const server = new TestServer();
  const clock = new TestClock();
  const read = { id: 7, title: 'Call Bo', place: 1 };
  const tasks: Collection<Task> = createLib(etags({ transport: server.transport })).collection({
    url: '/tasks',
    data: [read],
  });
  const task = tasks.record(7);
  watch(task.fetch$());
  server.expectOne('GET /tasks/7').answer(read, version(1));
  const save$ = task.save$({ patch: true }).pipe(mergeConflicts(task));
  const saving = () =>
    autosave(task, { save: () => save$, scheduler: clock, while$: moves$.pipe(map((count) => !count)) });
  return {
    task,
    tasks,
    server,
    clock,
    saving,
    move: (place: number) => watch(move$(task, place)),
    /** Answers what waits, as a server would that has this. */
    serve: async (state: Task, at: number) => {
      let [stored, number] = [state, at];
      for (let request = server.open[0]; request; request = server.open[0]) {
        const isStale = request.headers.get('if-match') !== version(number).headers.etag;
        if (request.method !== 'GET' && isStale) {
          request.answer(undefined, { status: 412 });
        } else {
          if (request.method !== 'GET')
            [stored, number] = [{ ...stored, ...(request.body as Task) }, number + 1];
          request.answer(stored, version(number));
        }
        clock.advance(500);
        await turn();
      }
    },
    /** All that was written. */
    written: () =>
      server.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body as Partial<Task>),
  };
}

/** A root that refuses updates without a version, as in the guide. */
async function withOnlyVersions() {
  const { root } = (await run('onlyVersions', [])) as { readonly root: Lib };
  const server = new TestServer();
  root.options.transport = server.transport;
  return { root, server };
}

describe('docs/CONFLICTS.md', () => {
  it('lets a row that was never read itself be merged before its first save', async () => {
    const { root, server } = await withOnlyVersions();
    const people = root.collection({ url: '/api/people', data: [{ id: 7, name: 'Ann', city: 'Bonn' }] });
    const ann = people.record(7);
    ann.name.next('Bea');
    watch(ann.save$({ patch: true }).pipe(mergeConflicts(ann)));
    server.expectOne('GET /api/people/7').answer({ id: 7, name: 'Ann', city: 'Rome' }, version(2));
    const save = server.expectOne('PATCH /api/people/7');

    expect([save.headers.get('if-match'), save.body, ann.city.value]).toStrictEqual([
      '"2"',
      { name: 'Bea' },
      'Rome',
    ]);
  });

  it('lets a row be saved whose server sends no versions', async () => {
    const { root, server } = await withOnlyVersions();
    const tag = root.collection({ url: '/api/tags', data: [{ id: 7, name: 'new' }] }).record(7);
    tag.name.next('old');
    watch(tag.save$({ patch: true }).pipe(mergeConflicts(tag)));

    expect(server.expectOne('PATCH /api/tags/7').headers.get('if-match')).toBeNull();
  });
});

describe('a row beside a feed', () => {
  it('takes three requests for the first save after what others have changed, and one after its own', async () => {
    const { task, tasks, server, serve } = await withTask();
    const changes$ = new Subject<Change<Task>>();
    followChanges(tasks, changes$).subscribe();
    const stored = { id: 7, title: 'Call Eve', place: 1 };
    const save = async (place: number, at: number) => {
      const before = server.requests.length;
      task.place.next(place);
      watch(task.save$({ patch: true }).pipe(mergeConflicts(task)));
      await serve(stored, at);
      return server.requests.slice(before).map(({ method }) => method);
    };
    changes$.next({ kind: 'put', item: stored });
    expect([task.title.value, await save(2, 2)]).toStrictEqual(['Call Eve', ['PATCH', 'GET', 'PATCH']]);

    changes$.next({ kind: 'put', item: { ...stored, place: 2 } });
    expect(await save(3, 3)).toStrictEqual(['PATCH']);
  });
});

describe('a move that shows at once, with versions', () => {
  it('goes through if others have changed something else, and an autosave sends the rest after it', async () => {
    const { task, clock, saving, move, serve, written } = await withTask();
    const { state$ } = saving();
    task.title.next('Call Bob');
    const moved = move(5);
    clock.advance(500);
    expect(task.place.value).toBe(5);
    await serve({ id: 7, title: 'Call Bo', place: 1 }, 2);

    expect(written()).toStrictEqual([{ place: 5 }, { place: 5 }, { title: 'Call Bob' }]);
    expect([moved.responses[0]?.status, task.get(), state$.value]).toStrictEqual([
      200,
      { id: 7, title: 'Call Bob', place: 5 },
      'clean',
    ]);
  });

  it('gives way if others have moved the row', async () => {
    const { task, saving, move, serve, written } = await withTask();
    saving();
    const moved = move(5);
    await serve({ id: 7, title: 'Call Eve', place: 9 }, 2);

    expect(written()).toStrictEqual([{ place: 5 }]);
    expect([moved.responses[0]?.status, task.get(), task.isDirty$.value]).toStrictEqual([
      412,
      { id: 7, title: 'Call Eve', place: 9 },
      false,
    ]);
  });

  it('sends the place that was chosen, if the conflict is decided at once', async () => {
    const { task, move, serve, written } = await withTask();
    task.conflicts$.subscribe((conflict) => {
      conflict.takeTheirs();
    });
    task.title.next('Call Bob');
    move(5);
    await serve({ id: 7, title: 'Call Bo', place: 9 }, 2);

    expect(written()).toStrictEqual([{ place: 5 }, { place: 9 }]);
  });

  it.each([
    ['is refused', () => ({ status: 409 })],
    ['is lost', () => undefined],
  ])('is taken back when it %s, and no autosave sends it again', async (_, refusal) => {
    const { task, server, clock, saving, move, written } = await withTask();
    saving();
    move(5);
    clock.advance(500);
    const request = server.expectOne('PATCH /tasks/7');
    const status = refusal();
    if (status) request.answer({}, status);
    else request.fail();
    await turn();
    clock.advance(500);

    expect(written()).toStrictEqual([{ place: 5 }]);
    expect([task.place.value, task.isDirty$.value]).toStrictEqual([1, false]);
  });

  it('is taken back, and not sent again, when the read after its refusal fails', async () => {
    const { task, server, clock, saving, move, written } = await withTask();
    saving();
    move(5);
    clock.advance(500);
    server.expectOne('PATCH /tasks/7').answer(undefined, { status: 412 });
    clock.advance(500);
    server.expectOne('GET /tasks/7').fail();
    clock.advance(500);
    await turn();

    expect([written(), task.place.value]).toStrictEqual([[{ place: 5 }], 1]);
  });

  it('stays when the row was moved on since', async () => {
    const { task, server, move } = await withTask();
    move(5);
    move(6);
    server.expectOne('PATCH /tasks/7').answer({}, { status: 409 });
    await turn();

    expect([server.expectOne('PATCH /tasks/7').body, task.place.value]).toStrictEqual([{ place: 6 }, 6]);
  });
});

describe('a delete of a row that others have changed', () => {
  /** A row that was saved here in its second version, and shows the third; its delete is refused. */
  const refused = async (now: Partial<Task>, edit?: string) => {
    const { deleteAsShown } = (await run('deleteAsShown', [])) as {
      readonly deleteAsShown: (record: DataModel) => Observable<Response>;
    };
    const { task, tasks, server } = await withTask();
    watch(task.save$());
    server.expectOne('PUT /tasks/7').answer({ id: 7, title: 'Call Bo', place: 1 }, version(2));
    tasks.replace([{ id: 7, title: 'Call Bob', place: 1 }]);
    if (edit) task.title.next(edit);
    const deleted = watch(deleteAsShown(task));
    server.expectOne('DELETE /tasks/7').answer(undefined, { status: 412 });
    server.expectOne('GET /tasks/7').answer({ id: 7, title: 'Call Bob', place: 1, ...now }, version(3));
    return { task, tasks, server, deleted };
  };

  it('is sent again with the version that is shown', async () => {
    const { tasks, server, deleted } = await refused({});
    const again = server.expectOne('DELETE /tasks/7');
    expect(again.headers.get('if-match')).toBe('"3"');
    again.answer(undefined, { status: 204 });
    expect([tasks.value, deleted.isComplete]).toStrictEqual([[], true]);
  });

  it('stays refused if that version contradicts an edit', async () => {
    const { task, server } = await refused({ title: 'Call Bobby' }, 'Call her');
    expect([server.open, task.get('title'), task.openConflicts$.value.length]).toStrictEqual([
      [],
      'Call her',
      1,
    ]);
  });

  it('stays refused if the user has not seen that version, which is then shown', async () => {
    const { task, server, deleted } = await refused({ title: 'Call Bobby' });
    expect([server.open, deleted.responses.map(({ status }) => status)]).toStrictEqual([[], [412]]);
    expect(task.get('title')).toBe('Call Bobby');
  });
});
