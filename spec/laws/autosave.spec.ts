import fc from 'fast-check';
import { BehaviorSubject, of } from 'rxjs';
import { describe } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Lib, MappedField } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import type { Autosave, AutosaveState } from 'rivulet/autosave';
import { TestClock, TestServer } from 'rivulet/testing';
import type { TestRequest } from 'rivulet/testing';

import { law } from './law';
import { same } from './same';
import { step } from './steps';
import type { Step } from './world';

/** An object that has all that a lower one has. */
const tagOf = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`key${place}`, true]));

class Note extends DataModel {
  readonly id: MappedField<number | undefined, 'id'>;
  readonly text: MappedField<number, 'text'>;
  readonly tag: MappedField<object, 'tag'>;

  constructor(root: Lib, id: number | undefined) {
    super({ url: '/notes' }, root);
    this.id = root.observable(id).map('id', this);
    this.text = root.observable(0).map('text', this);
    this.tag = root.observable(tagOf(0)).map('tag', this);
  }
}

/** `lost`: the server accepts, but its answer does not arrive; only for a create, see docs/AUTOSAVE.md. */
type Answer = 'whole' | 'empty' | 'refused' | 'broken' | 'lost';

/** A note that is saved while it is edited, and the row of the server, which has what it has accepted. */
class World {
  readonly #server = new TestServer();
  readonly #clock = new TestClock();
  readonly #note: Note;
  #saving!: Autosave;
  readonly #isOn$ = new BehaviorSubject(true);
  readonly #faults: string[] = [];
  readonly #hooks: (() => void)[] = [];
  #row: Record<string, unknown>;
  #state: AutosaveState | undefined;
  #open = 0;
  #seen = 0;
  /** Whether a create was accepted whose answer was lost. */
  #isLost = false;
  /** Whether anybody has asked for a save since the last one, or decided a conflict. */
  #isAsked = false;
  /** Whether anything was edited, or asked for, since the last save. */
  #isTouched = false;
  /** Whether a subscriber has acted: what it edits during a save's beginning is told after that, as an edit since. */
  #isNested = false;
  /** Whether the record was destroyed, and has no id since. */
  #isGone = false;

  constructor(isNew: boolean) {
    const root = createLib({ transport: this.#server.transport, scheduler: this.#clock });
    this.#row = { id: isNew ? undefined : 7, text: 0, tag: tagOf(0) };
    this.#note = new Note(root, isNew ? undefined : 7);
    this.#begin();
  }

  #begin(): void {
    this.#saving = autosave(this.#note, { after: 100, scheduler: this.#clock, while$: this.#isOn$ });
    this.#state = undefined;
    this.#saving.state$.subscribe((state) => {
      if (state === this.#state) this.#faults.push(`${state} twice`);
      this.#state = state;
      this.#hooks.shift()?.();
    });
  }

  /** Leaves the page, and comes back. The server carries out what was given up if that creates the note. */
  leave(): void {
    this.#isTouched = true;
    const [sent] = this.#server.open;
    const left = this.#saving;
    left.unsubscribe();
    if (sent?.state === 'aborted' && sent.method === 'POST') {
      this.#store(sent);
      this.#isLost = true;
    }
    // A subscriber may have left it, too.
    if (this.#saving === left) this.#begin();
    this.#look();
  }

  edit(key: 'text' | 'tag', value: number): void {
    this.#touch();
    if (key === 'tag') this.#note.tag.next(tagOf(value));
    else this.#note.text.next(value);
    this.#look();
  }

  reset(): void {
    this.#touch();
    this.#note.reset();
  }

  destroy(): void {
    if (this.#note.isNew$.value) return;
    void this.#note.destroy().catch(() => undefined);
    this.#look();
  }

  wait(time: number): void {
    this.#clock.advance(time);
    this.#look();
  }

  switch(isOn: boolean): void {
    this.#isOn$.next(isOn);
    this.#look();
  }

  /** Somebody else changes the row, and says so. */
  announce(value: number): void {
    if (!this.#row.id || this.#server.open.length) return;
    this.#isTouched = true;
    this.#row = { ...this.#row, text: value };
    this.#note.follow(of(this.#row)).subscribe();
  }

  decide(isMine: boolean): void {
    const [conflict] = this.#note.openConflicts$.value;
    if (conflict) this.#ask();
    if (isMine) conflict?.keepMine();
    else conflict?.takeTheirs();
    this.#look();
  }

  /** Saves what is shown, beside the autosave. */
  save(): void {
    this.#isTouched = true;
    void this.#note.save({ headers: { 'x-own': '1' } }).catch(() => undefined);
    this.#look();
  }

  flush(): void {
    this.#open += 1;
    this.#ask();
    void this.#saving.flush().then((isSaved) => {
      this.#open -= 1;
      if (typeof isSaved !== 'boolean') this.#faults.push('flush: no answer');
    });
    this.#look();
  }

  hook(act: Step<World>): void {
    this.#hooks.push(() => {
      this.#isNested = true;
      act.run(this);
    });
  }

  answer(how: Answer): void {
    const [sent] = this.#server.open;
    if (!sent) return;
    if (sent.method === 'DELETE') this.#delete(sent, how);
    else if (how === 'lost' && sent.method === 'POST') this.#lose(sent);
    else if (how === 'broken' || how === 'lost') sent.fail();
    else if (how === 'refused') sent.answer(undefined, { status: 422 });
    else this.#accept(sent, how);
    this.#look();
  }

  /** Between two steps, all that has become of the state has been told. */
  compare(): void {
    same(this.#saving.state$.value, this.#state);
  }

  /** Ends everything, successfully. */
  async end(): Promise<readonly string[]> {
    this.#hooks.length = 0;
    this.switch(true);
    while (this.#server.open.length) this.answer('whole');
    // After a destroy, the autosave saves nothing before somebody else has.
    if (this.#isGone) this.save();
    this.flush();
    for (let round = 0; this.#saving.state$.value !== 'clean' && round < 9; round += 1) {
      while (this.#note.openConflicts$.value.length) this.decide(true);
      while (this.#server.open.length) this.answer('whole');
      this.flush();
    }
    const { id, text, tag } = this.#note.get();
    same([this.#saving.state$.value, this.#state], ['clean', 'clean']);
    if (this.#row.id && !(this.#isLost && !id)) same({ id, text, tag }, this.#row);
    await Promise.resolve();
    await Promise.resolve();
    await new Promise((done) => setImmediate(done));
    same(this.#open, 0);
    this.#note.dispose();
    same(this.#clock.actions, []);
    return this.#faults;
  }

  #accept(sent: TestRequest, how: Answer): void {
    this.#store(sent);
    this.#isGone = false;
    sent.answer(how === 'whole' || sent.method === 'POST' ? this.#row : undefined);
  }

  #lose(sent: TestRequest): void {
    this.#store(sent);
    this.#isLost = true;
    sent.fail();
  }

  #delete(sent: TestRequest, how: Answer): void {
    if (how === 'refused') {
      sent.answer(undefined, { status: 403 });
      return;
    }
    if (how !== 'whole' && how !== 'empty') {
      sent.fail();
      return;
    }
    this.#row = { ...this.#row, id: undefined };
    this.#isGone = true;
    this.#isTouched = true;
    sent.answer();
  }

  #store(sent: TestRequest): void {
    this.#row = { ...this.#row, ...(sent.body as object), id: this.#row.id ?? 9 };
  }

  /** Whatever ends a conflict decides it. */
  #touch(): void {
    this.#isTouched = true;
    if (this.#note.openConflicts$.value.length) this.#ask();
  }

  #ask(): void {
    this.#isAsked = true;
    this.#isTouched = true;
  }

  /** What was sent since the last time. */
  #look(): void {
    const { requests, open } = this.#server;
    if (open.length > 1) this.#faults.push('two at once');
    for (const sent of requests.slice(this.#seen)) this.#judge(sent);
    this.#seen = requests.length;
  }

  #judge(sent: TestRequest): void {
    if (sent.method === 'DELETE' || sent.headers.has('x-own')) return;
    const faults = {
      'sent nothing': sent.method === 'PATCH' && !Object.keys(sent.body as object).length,
      'sent while off': !this.#isOn$.value && !this.#isAsked,
      'sent again by itself': !this.#isTouched && !this.#isNested,
      'created again by itself': sent.method === 'POST' && this.#isLost && !this.#isAsked,
      'created again after a destroy': sent.method === 'POST' && this.#isGone,
    };
    for (const [fault, isFound] of Object.entries(faults)) if (isFound) this.#faults.push(fault);
    this.#isTouched = false;
    this.#isAsked = this.#open > 0;
  }
}

const value = fc.nat(3);

const act: fc.Arbitrary<Step<World>> = fc.oneof(
  {
    arbitrary: fc.tuple(fc.constantFrom('text' as const, 'tag' as const), value).map(([key, to]) =>
      step(`${key} = ${String(to)}`, (world: World) => {
        world.edit(key, to);
      }),
    ),
    weight: 4,
  },
  {
    arbitrary: fc.constantFrom(40, 100, 250).map((time) =>
      step(`wait ${String(time)}`, (world: World) => {
        world.wait(time);
      }),
    ),
    weight: 4,
  },
  {
    arbitrary: fc.constantFrom<Answer[]>('whole', 'whole', 'empty', 'refused', 'broken', 'lost').map((how) =>
      step(`answer ${how}`, (world: World) => {
        world.answer(how);
      }),
    ),
    weight: 4,
  },
  fc.constant(
    step('flush', (world: World) => {
      world.flush();
    }),
  ),
  fc.constant(
    step('save', (world: World) => {
      world.save();
    }),
  ),
  fc.constant(
    step('reset', (world: World) => {
      world.reset();
    }),
  ),
  fc.constant(
    step('destroy', (world: World) => {
      world.destroy();
    }),
  ),
  fc.constant(
    step('leave', (world: World) => {
      world.leave();
    }),
  ),
  value.map((to) =>
    step(`announce ${String(to)}`, (world: World) => {
      world.announce(to + 10);
    }),
  ),
  fc.boolean().map((isMine) =>
    step(isMine ? 'mine' : 'theirs', (world: World) => {
      world.decide(isMine);
    }),
  ),
  fc.boolean().map((isOn) =>
    step(isOn ? 'on' : 'off', (world: World) => {
      world.switch(isOn);
    }),
  ),
);

const anyStep = fc.oneof(
  { arbitrary: act, weight: 8 },
  {
    arbitrary: act.map((each) =>
      step(`when told: ${String(each)}`, (world: World) => {
        world.hook(each);
      }),
    ),
    weight: 1,
  },
);

describe('autosave', () => {
  law(
    'saves one at a time, what and when it may, and in the end the server has what is shown',
    [fc.boolean(), fc.array(anyStep, { maxLength: 30 })],
    async (isNew, steps) => {
      const world = new World(isNew);
      for (const each of steps) {
        each.run(world);
        world.compare();
      }
      same(await world.end(), []);
    },
  );
});
