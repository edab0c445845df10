import type { Collection, Lib, RequestOptions, StateStream } from 'rivulet';
import type { Observable } from 'rxjs';

import { Person } from '../person';

import { after } from './expected.ts';
import type { Expected } from './expected.ts';
import type { Action, Cell } from './table.ts';

/** The subject of a cell: a record whose name has been edited, or a collection of one item. */
export interface Subject {
  /** Sends the request of the cell. */
  send(options: RequestOptions): Promise<Response>;
  /** Sends one more request, which writes something. */
  sendAgain(): Promise<Response>;
  /** Sets the name of the record to one that can be sent. */
  shorten(): void;
  /** Its whole state. */
  state(): unknown;
  /** The expected states: when the cell has reached its outcome, and after one more request to `/ok`. */
  readonly expected: Expected;
  readonly flags: readonly StateStream<boolean>[];
  readonly error$: StateStream<Error | null>;
  /** Emits at every write. */
  readonly written$: Observable<unknown>;
  /** Whether its values have subscribers. */
  readonly isObserved: boolean;
}

/** Makes the subject of a cell. */
export const subjectOf = (cell: Cell, root: Lib, url: () => string): Subject =>
  cell.action === 'list' ? listOf(cell, root, url) : recordOf(cell, root, url);

const methods = { read: 'fetch', update: 'save', create: 'save', destroy: 'destroy' } as const;

function recordOf(cell: Cell, root: Lib, url: () => string): Subject {
  const { action } = cell;
  const record = new Person(root, { url }, { id: action === 'create' ? undefined : 7 });
  record.name.next('Eve');
  const { id, name, city, isReading$, isCreating$, isUpdating$, isDeleting$, isSaving$ } = record;
  return {
    send: (options) => record[methods[action as Exclude<Action, 'list'>]](options),
    sendAgain: () => record.save(),
    shorten: () => {
      name.next('Eve');
    },
    state: () => ({
      shown: { id: id.value, name: name.value, city: city.value },
      confirmed: { id: id.remote$.value, name: name.remote$.value, city: city.remote$.value },
      dirty: record.dirtyMap(),
      isDirty: record.isDirty$.value,
      isNew: record.isNew$.value,
      data: record.toJSON(),
    }),
    expected: after(cell),
    flags: [isReading$, isCreating$, isUpdating$, isDeleting$, isSaving$, record.requestInProgress$],
    error$: record.error$,
    written$: record.data$,
    get isObserved() {
      return id.observed || name.observed || city.observed;
    },
  };
}

function listOf(cell: Cell, root: Lib, url: () => string): Subject {
  const items: Collection<unknown> = root.collection<unknown>({ url, data: [{ id: 1, name: 'Ann' }] });
  return {
    send: (options) => items.fetch(options),
    sendAgain: () => items.fetch(),
    shorten: () => undefined,
    state: () => items.value,
    expected: after(cell),
    flags: [items.isReading$, items.isCreating$, items.requestInProgress$],
    error$: items.error$,
    written$: items.asObservable(),
    get isObserved() {
      return items.observed;
    },
  };
}
