import type {
  Action,
  Collection,
  Concern,
  Exchange,
  Parse,
  RequestOptions,
  Sync,
  Url,
  UrlByAction,
  UrlCallback,
} from '../index';

import { after, isAsync } from './after';
import type { NextPage, Page } from './page';
import { pageUrl } from './page-url';
import { RequestError } from './peers';

/** What pages are read by. */
interface PagesConfig<T> {
  readonly url?: Url | undefined;
  readonly parse?: Parse | undefined;
  readonly next: (page: Page<T>) => NextPage;
}

/** A request for the page after another. */
interface PageRead {
  readonly previous: Page<unknown>;
  readonly urlFrom: (configured: unknown) => unknown;
}

/** The key under which the options of a request say which page it reads: sent again, it reads the same. */
const readKey: unique symbol = /* @__PURE__ */ Symbol('page');

/** Options with which the core calls back. */
type ReadOptions = RequestOptions & { readonly [readKey]?: PageRead };

/** An answer on its way from `sync` to `parse`, in place of its body. */
class Answer {
  readonly exchange: Exchange;
  readonly order: number;
  readonly previous: Page<unknown> | undefined;

  constructor(exchange: Exchange, order: number, previous: Page<unknown> | undefined) {
    this.exchange = exchange;
    this.order = order;
    this.previous = previous;
  }
}

/** What a page has to know of its list. */
type Items<T> = Concern & Pick<Collection<T>, 'value' | 'idAttribute'>;

/** The pages of one list: which was read last, where the next is, and how a page becomes part of the list. */
export class Pages<T> {
  readonly #config: PagesConfig<T>;
  /** The page that was read last, by which request, and what `next` returned for it. */
  #last: { readonly page: Page<T>; readonly order: number; readonly next: NextPage } | undefined;
  /** Whether the list was last read as a whole, by a `sync` that answers with data alone. */
  #isWhole = false;
  /** How many reads were sent; the number of the newest that begins the list anew, and of the newest that was answered. */
  #sent = 0;
  #begun = 0;
  #answered = 0;

  constructor(config: PagesConfig<T>) {
    this.#config = config;
  }

  get page(): Page<T> | undefined {
    return this.#last?.page;
  }

  get hasMore(): boolean {
    return !(this.#isWhole || (this.#last && !this.#last.next));
  }

  /** Whether a read that begins the list anew was sent, and neither it nor a newer one has been answered. */
  get isBeginning(): boolean {
    return this.#begun > this.#answered;
  }

  /** The options of a request for the page after the last, or for the first. */
  optionsFor(options: object | undefined): object | undefined {
    if (!this.#last?.next) return options;
    const { page, next } = this.#last;
    const read: PageRead = {
      previous: page,
      urlFrom: (configured) => pageUrl(next, page, configured),
    };
    return { ...(isPlain(options) && options), [readKey]: read };
  }

  /** The configured url, for the list and its live records; or that of the page to read. */
  urlOf(concern: Concern, options: ReadOptions, action: Action): ReturnType<UrlCallback> {
    const valueOf = (url: unknown): unknown =>
      typeof url === 'function' ? (url as UrlCallback).call(concern, options, action) : url;
    const url = valueOf(this.#config.url);
    const read = options[readKey];
    if (!read) return url as ReturnType<UrlCallback>;
    const isByAction = typeof url === 'object' && url && !(url instanceof URL);
    const configured = isByAction ? valueOf((url as UrlByAction).read) : url;
    return read.urlFrom(configured instanceof URL ? configured.href : configured) as string;
  }

  /** Performs a read, and passes what is answered on to `parse` as a whole. */
  answer(sync: Sync, concern: Concern, options: Parameters<Sync>[2] & ReadOptions): unknown {
    const previous = options[readKey]?.previous;
    const order = (this.#sent += 1);
    if (!previous) this.#begun = order;
    return after(sync.call(concern, 'read', concern, options), (answer) => {
      const exchange = answer as Partial<Exchange> | undefined;
      if (!exchange?.request || !exchange.response?.ok) return answer;
      // A `sync` that was assigned may pass on to the one before.
      if (exchange.body instanceof Answer) return exchange;
      if (exchange.body !== undefined)
        return { ...exchange, body: new Answer(exchange as Exchange, order, previous) };
      this.#answered = Math.max(order, this.#answered);
      return exchange;
    });
  }

  /** What `parse` of the configuration returns for an answer; for a page, what the list is to hold with it. */
  itemsOf(concern: Concern, data: unknown, action: Action): unknown {
    const isPage = data instanceof Answer;
    const body = isPage ? data.exchange.body : data;
    const { parse } = this.#config;
    const items = parse ? parse.call(concern, body, action) : body;
    if (action !== 'read') return items;
    return after(items, (list) => {
      if (isPage) return this.#joined(concern as Items<T>, data, list);
      this.#isWhole = Array.isArray(list);
      return list;
    });
  }

  /** The items of the list together with those of a page. */
  #joined(list: Items<T>, { exchange, order, previous }: Answer, items: unknown): unknown {
    // The core refuses what is not a list, and drops what is older than what was answered before.
    if (!Array.isArray(items) || order < this.#answered) return items;
    // What is answered from a cache first is answered again.
    const again = order === this.#last?.order ? this.page : undefined;
    // A request that is repeated late may bring a page of a list that has begun anew since then.
    if (previous && previous !== this.page && !again) return list.value;
    const index = previous ? previous.index + 1 : 0;
    const before = previous ? without(list.value, items, list.idAttribute, again?.items) : [];
    const { request, response, body } = exchange;
    const page: Page<T> = { index, items: items as T[], body, request, response };
    this.#last = { page, order, next: checked(this.#config.next(page)) };
    this.#answered = order;
    this.#isWhole = false;
    return [...before, ...page.items];
  }
}

/** Whether a value is options: as for the core, anything but a plain object counts as none, and so does an event. */
function isPlain(options: object | undefined): boolean {
  const given = Object(options) as object;
  const prototype: unknown = Object.getPrototypeOf(given);
  return !('preventDefault' in given || Object.getPrototypeOf(prototype ?? Object.prototype));
}

/**
 * The items that a page does not bring again: one that has moved, or that was created here, may arrive with a later page.
 *
 * @param replaced Those of the page that it is an update of.
 */
function without<T>(
  items: readonly T[],
  arrived: readonly unknown[],
  idAttribute: string,
  replaced: readonly T[] = [],
): T[] {
  const path = idAttribute.split('.');
  /** The id as text; empty if there is none. */
  const idOf = (item: unknown): string => {
    let id = item;
    for (const key of path)
      id = Object.hasOwn(Object(id) as object, key) ? (id as Record<string, unknown>)[key] : '';
    if (typeof id === 'string') return id;
    return (typeof id === 'number' || typeof id === 'bigint') && id ? String(id) : '';
  };
  const ids = new Set(arrived.map(idOf));
  const gone = new Set<T>(replaced);
  ids.delete('');
  return items.filter((item) => !ids.has(idOf(item)) && !gone.has(item));
}

/**
 * What `next` returned.
 *
 * @throws RequestError `BAD_OPTION` if it names no page.
 */
function checked(next: NextPage): NextPage {
  const kind = Array.isArray(next) ? 'a list' : isAsync(next) ? 'a promise' : `of type ${typeof next}`;
  if (!next || ['of type string', 'of type object'].includes(kind)) return next;
  const problem = `"next" must return a url, query parameters, or nothing, not ${kind}`;
  throw new RequestError('BAD_OPTION', 'read', problem);
}
