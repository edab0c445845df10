import type { Action, Collection, Concern, Exchange, Parse, Sync } from '../index';

import { andThen, toEnd } from './and-then';
import { joined } from './joined';
import type { NextPage, Page } from './page';
import { checked } from './page-url';
import { Subject } from './peers';
import { taskOf, withTask } from './task';
import type { PageRead, ReadOptions, Task } from './task';

/** What pages are read by. */
interface PagesConfig<T> {
  readonly parse?: Parse | undefined;
  readonly next: (page: Page<T>) => NextPage;
}

/** A read that is being performed. */
interface Call {
  readonly sync: Sync;
  readonly concern: Concern;
  readonly options: Parameters<Sync>[2];
  readonly task: Task;
  readonly order: number;
  /** The url of the list, once the request is made; undefined if it is made later than during the call of `sync`. */
  listUrl: unknown;
  /** Called with the items of the page that was requested last. */
  received: (items: readonly unknown[]) => void;
}

/** The pages of one request on their way from `sync` to `parse`, in place of a body; before the last, without an exchange. */
class Answer<T> {
  readonly call: Call;
  readonly pages: readonly PageRead<T>[];
  /** What the last of them is still to be made of. */
  readonly rest: Exchange | undefined;

  constructor(call: Call, pages: readonly PageRead<T>[], rest?: Exchange) {
    this.call = call;
    this.pages = pages;
    this.rest = rest;
  }
}

/** What a page has to know of its list. */
type Items<T> = Concern & Pick<Collection<T>, 'value' | 'idAttribute' | '_beginPart'>;

/** Tells the list that a page is requested; returns what is to be told of its items. */
const beginPart = (list: Concern) => (list as Items<unknown>)._beginPart();

/** The pages of one list: which was read last, where the next is, and how a page becomes part of the list. */
export class Pages<T> {
  readonly #config: PagesConfig<T>;
  /** The page that was read last, and by which request. */
  #last: PageRead<T> | undefined;
  #readBy = 0;
  /** Whether the list at another url was to be read since, and was not: then its pages do not continue this one. */
  #isLeft = false;
  /** Whether the list was last read as a whole, by a `sync` that answers with data alone. */
  #isWhole = false;
  /** How many reads were sent, and the number of the newest that was answered. */
  #sent = 0;
  #answered = 0;
  /** The numbers of reads, by the signals of their requests. */
  readonly #orders = new WeakMap<object, number>();
  /** Emits when a read has been refused, has failed, was given up, or has confirmed what is there. */
  readonly changed$: Subject<unknown> = new Subject<unknown>();
  /** Receives the url of the list while the request for its first page is being made. */
  tellUrl: ((listUrl: unknown) => void) | undefined;
  /** The numbers of the reads that begin the list anew and are under way, if no newer one has been answered. */
  readonly #beginning = new Set<number>();

  constructor(config: PagesConfig<T>) {
    this.#config = config;
  }

  get page(): Page<T> | undefined {
    return this.#present?.page;
  }

  get hasMore(): boolean {
    return !(this.#isWhole || (this.#present && !this.#present.next));
  }

  /** The last page of the list that is to be shown. */
  get #present(): PageRead<T> | undefined {
    return this.#isLeft ? undefined : this.#last;
  }

  /** Whether a read that begins the list anew is under way, and no newer one has been answered. */
  get isBeginning(): boolean {
    return this.#beginning.size > 0;
  }

  /** The options of a request for the page after the last, or for the first. */
  optionsForNext(options: object | undefined): object | undefined {
    return this.#optionsFor(options, this.#present, () => 1);
  }

  /** The options of a request for all pages that were read, or for the first. */
  optionsForAll(options: object | undefined): object | undefined {
    const count = () => (this.page?.index ?? 0) + 1;
    const least = count();
    // A page that is appended while these are read is read again, too.
    return this.#optionsFor(options, undefined, () => Math.max(least, count()));
  }

  #optionsFor(
    options: object | undefined,
    previous: Task['previous'],
    count: () => number,
  ): object | undefined {
    return this.#present ? withTask(options, { previous, count }) : options;
  }

  /** Performs a read, and passes what is answered on to `parse` as a whole. */
  answer(sync: Sync, concern: Concern, options: Call['options']): unknown {
    const { signal } = options as ReadOptions;
    const task = taskOf(options);
    // A `sync` that was assigned may pass on late: what it passes on is as old as the request that it is for.
    const order = this.#orders.get(signal as object) ?? (this.#sent += 1);
    if (signal) this.#orders.set(signal, order);
    const { listUrl } = task.previous ?? {};
    const received = beginPart(concern);
    const call: Call = { sync, concern, options, task, order, listUrl, received };
    // A `sync` that was assigned may pass on what was given up meanwhile.
    if (!task.previous && !signal?.aborted) {
      this.#beginning.add(order);
      // The core aborts the signal of a request that has failed, too.
      signal?.addEventListener('abort', () => {
        this.#end(call);
      });
    }
    return toEnd(this.#step(call, []), Answer<T>, ({ pages }) => this.#step(call, pages));
  }

  /** Reads the page after those that the request has read already. */
  #step(call: Call, pages: readonly PageRead<T>[]): unknown {
    const { concern, task, order } = call;
    // The url is made during the call.
    task.before = pages.at(-1) ?? task.previous;
    // What has become of its rows by now is older than this page.
    if (pages.length) call.received = beginPart(concern);
    return andThen(this.#performed(call), (answer) => {
      const exchange = answer as Partial<Exchange> | undefined;
      if (!exchange?.request || !exchange.response?.ok) {
        this.#end(call);
        return answer;
      }
      // A `sync` that was assigned may pass on to the one before.
      if (exchange.body instanceof Answer) return exchange;
      const done = (read: readonly PageRead<T>[], rest?: Exchange) => ({
        ...exchange,
        body: new Answer(call, read, rest),
      });
      const goOn = (read: PageRead<T>) => {
        const all = [...pages, read];
        return read.next && all.length < task.count() ? new Answer(call, all) : done(all);
      };
      if (exchange.body === undefined) {
        const last = this.#last;
        // Of several pages, the version of the one read last may be confirmed.
        if (pages.length && last?.page.request.url === exchange.request.url)
          return goOn({ ...last, page: { ...last.page, index: pages.length } });
        this.#settle(Math.max(order, this.#answered));
        // What is shown was confirmed.
        if (call.listUrl === last?.listUrl) this.#isLeft = false;
        this.changed$.next(order);
        return exchange;
      }
      const given = exchange as Exchange;
      if (pages.length + 1 >= task.count()) return done(pages, given);
      return andThen(this.#parsed(concern, given.body, 'read'), (items) => {
        // For the core to refuse, or to drop.
        if (!Array.isArray(items) || order < this.#answered) return done(pages, given);
        return goOn(this.#pageOf(call, given, items as T[], pages.at(-1)));
      });
    });
  }

  /** A read was refused, has failed, or was given up. */
  #end({ order, listUrl }: Call): void {
    this.#beginning.delete(order);
    // It was to be another list: with a page of the one that is there, the result would pass for that.
    const known = this.#last?.listUrl ?? listUrl;
    if (order > this.#answered && listUrl && listUrl !== known) {
      this.#isLeft = true;
      this.#isWhole = false;
    }
    this.changed$.next(order);
  }

  /** A read was answered: older ones under way do not count any more. */
  #settle(order: number): void {
    this.#answered = order;
    for (const begun of this.#beginning) if (begun <= order) this.#beginning.delete(begun);
  }

  #performed(call: Call): unknown {
    const { sync, concern, options } = call;
    const outer = this.tellUrl;
    this.tellUrl = (listUrl) => {
      call.listUrl = listUrl;
    };
    try {
      return sync.call(concern, 'read', concern, options);
    } finally {
      this.tellUrl = outer;
    }
  }

  /** What `parse` of the configuration returns for an answer; for pages, what the list is to hold with them. */
  itemsOf(concern: Concern, data: unknown, action: Action): unknown {
    if (data instanceof Answer) {
      const answer = data as Answer<T>;
      const { rest } = answer;
      const write = (items: unknown) => this.#written(concern as Items<T>, answer, items);
      return rest ? andThen(this.#parsed(concern, rest.body, action), write) : write([]);
    }
    const parsed = this.#parsed(concern, data, action);
    if (action !== 'read') return parsed;
    return andThen(parsed, (list) => {
      this.#isWhole = Array.isArray(list);
      return list;
    });
  }

  #parsed(concern: Concern, body: unknown, action: Action): unknown {
    const { parse } = this.#config;
    return parse ? parse.call(concern, body, action) : body;
  }

  #pageOf(
    { listUrl, received }: Call,
    { request, response, body }: Exchange,
    items: readonly T[],
    before: PageRead<unknown> | undefined,
  ): PageRead<T> {
    received(items);
    const page: Page<T> = { index: before ? before.page.index + 1 : 0, items, body, request, response };
    return { page, next: checked(this.#config.next(page)), listUrl };
  }

  /** The items of the list together with those of the pages that a request has read, the last of which has these. */
  #written(list: Items<T>, { call, pages, rest }: Answer<T>, items: unknown): unknown {
    const { order, task } = call;
    const { previous } = task;
    // The core refuses what is not a list, and drops what is older than what was answered before.
    if (!Array.isArray(items) || order < this.#answered) return items;
    // What is answered from a cache first is answered again.
    const again = order === this.#readBy ? this.page : undefined;
    // A request that is repeated late may bring a page of a list that has begun anew since then.
    if (previous && previous.page !== this.page && !again) return list.value;
    const read = rest ? [...pages, this.#pageOf(call, rest, items as T[], pages.at(-1) ?? previous)] : pages;
    const replaced = new Set(again?.items);
    const before = previous ? list.value.filter((item) => !replaced.has(item)) : [];
    this.#last = read.at(-1);
    this.#isLeft = false;
    this.#readBy = order;
    this.#settle(order);
    this.#isWhole = false;
    return joined([before, ...read.map(({ page }) => page.items)], list.idAttribute);
  }
}
