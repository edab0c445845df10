import { defer, tap } from 'rxjs';
import type { BehaviorSubject, Observable, Subscription } from 'rxjs';

import { createLib } from 'rivulet';
import type { Conflict, Interceptor } from 'rivulet';
import { etags, mergeConflicts } from 'rivulet/etag';

import type { RunningServer } from '../../../examples/server/server.ts';
import { Person } from '../../person';
import { stored } from '../people';

import { LostError, Network } from './network';
import type { Which } from './network';
import { Witness } from './witness';
import type { Ledger } from './witness';

/** The paths of the edited fields, which are also the columns of the database. */
export const paths = ['name', 'address.city', 'notes'] as const;
export type Path = (typeof paths)[number];

/** A text for each field. */
export type Row = Record<Path, string>;

/** The server's values of the person. */
export const rowOf = (server: RunningServer): Row => eachPath((path) => String(stored(server, 1, path)));

/** An independent client: a root with ETags, a record of the first person, and a user who edits it. */
export class Client {
  readonly person: Person;
  readonly network = new Network();
  readonly #fields: Record<Path, BehaviorSubject<string>>;
  readonly #witnesses: Record<Path, Witness>;
  readonly #ledger: Ledger;
  /** The undecided conflicts. */
  readonly #conflicts: Conflict[] = [];
  /** The requests under way. */
  readonly #calls: Subscription[] = [];
  readonly #statuses: number[] = [];

  constructor(server: RunningServer, ledger: Ledger) {
    this.#ledger = ledger;
    this.#witnesses = eachPath(() => new Witness(ledger));
    const root = createLib(etags({ interceptors: [this.network.hold, this.#noteWrites(server)] }));
    this.person = new Person(root, { url: `${server.url}/api/people` }, { id: 1 });
    const { name, city } = this.person;
    this.#fields = { name, 'address.city': city, notes: root.observable('').map('notes', this.person) };
    for (const path of paths) {
      this.#fields[path].subscribe((value) => {
        this.#witnesses[path].shown(value);
      });
    }
    this.person.conflicts$.subscribe((conflict) => {
      this.#witnesses[conflict.path as Path].told(conflict);
      this.#conflicts.push(conflict);
    });
  }

  /** The values shown. */
  get shown(): Row {
    return eachPath((path) => this.#fields[path].value);
  }

  /** The status of the last answer. */
  get lastStatus(): number | undefined {
    return this.#statuses.at(-1);
  }

  type(path: Path, value: string): void {
    this.#witnesses[path].typed(value);
    this.#fields[path].next(value);
  }

  save(): void {
    const { person } = this;
    this.#ask(person.save$({ patch: true }).pipe(mergeConflicts(person)));
  }

  read(keepEdits: boolean): void {
    if (!keepEdits) for (const path of paths) this.#witnesses[path].gaveUp();
    this.#ask(this.person.fetch$({ keepEdits }));
  }

  /** Decides the latest conflict, however old it is. */
  choose(choice: 'keepMine' | 'takeTheirs'): void {
    const conflict = this.#conflicts.pop();
    if (!conflict) return;
    const path = conflict.path as Path;
    // Nor is a kept value a new edit: a read without `keepEdits` that found it shown may replace it.
    this.#witnesses[path].gaveUp();
    conflict[choice]();
    this.#witnesses[path].chose(this.#fields[path].value, conflict);
  }

  /** Keeps the shown value in every conflict. */
  insist(): void {
    while (this.#conflicts.length) this.choose('keepMine');
  }

  /** Unsubscribes from a request under way. */
  leave(which: Which): void {
    this.#calls.at(which === 'first' ? 0 : -1)?.unsubscribe();
  }

  /** Subscribes to a request. It may only fail because a message was lost. */
  #ask(request$: Observable<Response>): void {
    const call = request$.subscribe({
      next: ({ status }) => {
        this.#statuses.push(status);
      },
      error: (error: unknown) => {
        if (!(error instanceof LostError)) this.#ledger.problems.push(String(error));
      },
    });
    this.#calls.push(call);
    call.add(() => {
      this.#calls.splice(this.#calls.indexOf(call), 1);
    });
  }

  /** Compares the server's values before and after each request. */
  #noteWrites(server: RunningServer): Interceptor {
    return (request, next) =>
      defer(() => {
        const before = rowOf(server);
        return next(request).pipe(
          tap(() => {
            const after = rowOf(server);
            for (const path of paths) {
              if (after[path] !== before[path]) this.#witnesses[path].wrote(after[path], before[path]);
            }
          }),
        );
      });
  }
}

function eachPath<T>(give: (path: Path) => T): Record<Path, T> {
  return Object.fromEntries(paths.map((path) => [path, give(path)])) as Record<Path, T>;
}
