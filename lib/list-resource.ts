import { equal } from './equal';
import { RequestError } from './errors';
import { indexBy, reconcile } from './items';
import type { KeyOf } from './items';
import type { List } from './list';
import { LiveRecords } from './live-records';
import type { Home, ListConfig } from './live-records';
import { Resource, idText } from './resource';
import type { Kind, Read, Ticket } from './resource';
import type { Action, Concern, RequestOptions, Root } from './types';

/** A read of the whole list, and what is newer than its answer. */
interface ListRead<T> extends Read {
  /** What was created meanwhile. */
  readonly created: T[];
  /** What live records confirmed meanwhile, by the text of the id; undefined is gone. */
  readonly written: Map<string, T | undefined>;
}

/** What stands behind a collection: it decides which answers become its items. */
export class ListResource<T> extends Resource implements Home<T> {
  declare config: ListConfig;
  readonly list: List<T>;
  readonly #keyOf: KeyOf;
  #records: LiveRecords<T> | undefined;

  constructor(list: List<T> & Concern, root: Root, config: ListConfig, keyOf: KeyOf) {
    super(list);
    this.boot(root, config);
    this.list = list;
    this.#keyOf = keyOf;
  }

  /** The live records, once there are any. */
  get records(): LiveRecords<T> {
    return (this.#records ??= new LiveRecords(this));
  }

  actionOf(kind: Kind): Action {
    return kind as Action;
  }

  data(_action: Action, { attrs }: RequestOptions): unknown {
    return attrs;
  }

  begin(action: Action, { attrs }: RequestOptions): Ticket {
    const read: ListRead<T> = { id: undefined, isOvertaken: false, created: [], written: new Map() };
    return {
      end: action === 'read' ? this.track(read) : undefined,
      accept: (data, isData) => {
        if (action === 'create') this.add((data ?? attrs) as T);
        else if (!read.isOvertaken) {
          if (isData && !Array.isArray(data)) {
            throw new RequestError(
              'SHAPE',
              action,
              'the answer is not a list; return the list in it from "parse"',
            );
          }
          this.overtake(undefined, read);
          if (isData) this.#fill(data as T[], read);
        }
        return !read.isOvertaken;
      },
    };
  }

  /**
   * What was confirmed while the list was read is newer than the list; what was created meanwhile is kept, as far as
   * ids can tell that the list lacks it.
   */
  #fill(answered: readonly T[], { created, written }: ListRead<T>): void {
    const { present } = this.list;
    const now = (item: T): T | undefined => {
      const key = idText(this.#keyOf(item));
      return written.has(key) ? written.get(key) : item;
    };
    const list = written.size ? answered.map(now).filter((item) => item !== undefined) : answered;
    const items = reconcile(present, list, this.#keyOf);
    if (created.length) {
      const listed = indexBy(list, this.#keyOf);
      const kept = new Set(present);
      items.push(...created.filter((item) => kept.has(item) && !listed.has(this.#keyOf(item))));
    }
    this.list.fill(items);
  }

  /** Takes the place of its draft, or of one with its id that a read has brought already. */
  add(item: T, draft?: unknown): void {
    for (const read of this.reads) (read as ListRead<T>).created.push(item);
    const { present } = this.list;
    if (present.includes(draft as T)) {
      this.#replace(draft as T, [item]);
      return;
    }
    const key = this.#keyOf(item);
    const others = present.filter((other) => !key || key === item || this.#keyOf(other) !== key);
    if (others.length < present.length) this.list.fill([...others, item]);
    else this.list.change('push', [item as never]);
  }

  confirm(id: unknown, before: T | undefined, after: T | undefined, by?: Read): void {
    for (const { order = 0, written, created } of this.reads as readonly ListRead<T>[]) {
      // A list that was asked for after the record is newer than what that read.
      if (order > (by?.order ?? order)) continue;
      written.set(idText(id), after);
      if (created.includes(before as T)) created.push(after as T);
    }
    if (before !== undefined && !equal(before, after))
      this.#replace(before, after === undefined ? [] : [after]);
  }

  #replace(before: T, after: readonly T[]): void {
    this.list.change('splice', [this.list.present.indexOf(before), 1, ...after] as never[]);
  }

  override dispose(): void {
    super.dispose();
    this.list.end();
  }
}
