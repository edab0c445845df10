import type {
  CollectionConfig,
  EventLike,
  ItemRecord,
  RequestOptions,
  Root,
  StateStream,
  Sync,
} from '../index';

import type { NextPage, Page } from './page';
import { Pages } from './pages';
import {
  Collection,
  concatMap,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  filter,
  fromEvent,
  lastValueFrom,
  lib,
  map,
  merge,
  share,
  take,
  takeUntil,
  tap,
} from './peers';
import type { Observable } from './peers';
import { urlFor } from './task';

/** What a paged collection is configured with. */
export interface PagedConfig<T, M extends object = ItemRecord<T>> extends CollectionConfig<T, M> {
  /**
   * Where the next page is; see `NextPage`. Called with each page before it is written, so only with newer pages. What it
   * throws, the read fails with; anything else than a `NextPage` fails it with `BAD_OPTION`.
   */
  readonly next: (page: Page<T>) => NextPage;
}

/**
 * A collection that is read page by page: `fetch` begins with the first, `more` appends the next, for a list that grows while
 * it is scrolled.
 *
 * Otherwise a collection like any other: searched, sorted, viewed, with live records. An item that arrives again, by its
 * id, moves to its new place. `fetch` replaces all pages read by the first; `refresh` reads all of them again. A class of
 * your own overrides `fetch$`, which `more` and `refresh` use, too; a `sync` of its own is assigned in the constructor,
 * since a class field would replace what makes pages of the answers.
 */
export class PagedCollection<T, M extends object = ItemRecord<T>> extends Collection<T, M> {
  /** The page that was read last; undefined before the first. Emits after it has been written. */
  readonly page$: StateStream<Page<T> | undefined>;

  /** Whether there is a page to read: true until `next` has returned nothing for one. */
  readonly hasMore$: StateStream<boolean>;

  /**
   * Reads the next page and appends its items; or the first, like `fetch`, if none was read. If a `fetch` is under way,
   * waits for it, since it begins anew. May be detached (a click handler).
   *
   * @returns The response, a refused one too; undefined if there is no page to read. Rejects as `more$` fails.
   */
  readonly more: (options?: RequestOptions | EventLike) => Promise<Response | undefined>;

  /**
   * Like `more`, as a cold stream; empty if there is no page to read.
   *
   * While the next page is being read, others that subscribe wait for it too, whatever their options; it is aborted when the
   * last unsubscribes, or by the signal of the first. If a `fetch` is answered first, or one for another url fails, the page is
   * not appended. Fails as `fetch$` does, and with `BAD_OPTION` if the server names a url of another origin as text.
   */
  readonly more$: (options?: RequestOptions | EventLike) => Observable<Response>;

  /**
   * Reads all pages that were read, from the first on, and replaces them in one write: the list is up to date, and as long as
   * before. Before the first page, like `fetch`. May be detached.
   *
   * @returns The response for the last page, or the first refused one: then nothing is written. Rejects as `refresh$` fails.
   */
  readonly refresh: (options?: RequestOptions | EventLike) => Promise<Response>;

  /**
   * Like `refresh`, as a cold stream.
   *
   * The pages are requested one after the other, as one read of the list: the flags are up and the time limit runs until the
   * last. Unsubscribing aborts it. Fails as `more$` does; then nothing is written.
   */
  readonly refresh$: (options?: RequestOptions | EventLike) => Observable<Response>;

  /**
   * @param config As for `lib.collection`, plus `next`.
   * @param root The root it belongs to. Default: `lib`.
   * @throws TypeError without a function `next`, if the items are not an array, or if `idAttribute` is not a path.
   */
  constructor(config: PagedConfig<T, M>, root: Root = lib) {
    // Without a prototype: what careless scripts add to `Object.prototype` is no option.
    const { next, url, parse, ...rest } = { __proto__: null, ...config };
    if (typeof next !== 'function') {
      throw new TypeError('PagedCollection: needs "next", a function that returns where the next page is');
    }
    const pages = new Pages<T>({ next, parse });
    super(
      {
        ...rest,
        url(options, action) {
          // Whatever else is requested meanwhile has nothing to do with the list.
          const isOfList = this instanceof PagedCollection && action === 'read';
          return urlFor(url, this, options, action, isOfList ? pages.tellUrl : undefined);
        },
        // What is no function, the core reports.
        parse:
          typeof (parse ?? next) === 'function'
            ? function (data, action) {
                return pages.itemsOf(this, data, action);
              }
            : parse,
      },
      root,
    );
    this.#answerPages(pages);
    // What was read last changes together with the items, or when a read ends without any; both end with the list.
    const changed$ = merge(this, pages.changed$.pipe(takeUntil(this.pipe(count()))));
    const stateOf = <V>(get: () => V) =>
      Object.defineProperty(changed$.pipe(map(get), distinctUntilChanged()), 'value', {
        get,
      }) as StateStream<V>;
    this.page$ = stateOf(() => pages.page);
    this.hasMore$ = stateOf(() => pages.hasMore);
    this.more$ = this.#sharing(pages);
    this.more = (options) => lastValueFrom(this.more$(options), { defaultValue: undefined });
    this.refresh$ = (options) => defer(() => this.fetch$(pages.optionsForAll(options)));
    this.refresh = (options) => lastValueFrom(this.refresh$(options));
  }

  /** Reads the next page; whoever asks for it meanwhile gets the same answer. */
  #sharing(pages: Pages<T>): PagedCollection<T>['more$'] {
    let current: { readonly answer$: Observable<Response>; isNext?: () => boolean } | undefined;
    const begun = (options: RequestOptions | EventLike | undefined) => {
      const end = () => {
        if (current === mine) current = undefined;
      };
      // They complete when the list is disposed of, which is for the request to report.
      const state$ = merge(this.isReading$, this.page$).pipe(endWith(undefined));
      // Whether it is one is for the request to check, which ends at once if it was aborted.
      const { signal } = Object(options) as RequestOptions;
      const aborted$ = signal?.addEventListener ? fromEvent(signal, 'abort') : EMPTY;
      const read$ = merge(state$, pages.changed$, aborted$).pipe(
        filter(() => !!signal?.aborted || !(this.isReading$.value && pages.isBeginning)),
        take(1),
        concatMap(() => {
          const { page } = pages;
          mine.isNext = () => pages.page === page && !(page && pages.isBeginning);
          return pages.hasMore ? this.fetch$(pages.optionsForNext(options)) : EMPTY;
        }),
        // Before those that share it are notified, who may ask for the page again.
        tap({ next: end, error: end, finalize: end }),
      );
      const mine: NonNullable<typeof current> = { answer$: read$.pipe(share()) };
      return (current = mine);
    };
    return (options) =>
      defer(() => {
        // What has just been appended, or was sent before a list that begins anew, is not the next page any more.
        const isNext = current?.isNext?.() ?? true;
        return (isNext && current ? current : begun(options)).answer$;
      });
  }

  /** Lets whatever performs the reads, also what is assigned later, answer them as pages. */
  #answerPages(pages: Pages<T>): void {
    const paged =
      (perform: Sync): Sync =>
      (action, concern, options) =>
        action === 'read'
          ? pages.answer(perform, concern, options)
          : perform.call(concern, action, concern, options);
    let sync = paged(this.sync);
    Object.defineProperty(this, 'sync', {
      configurable: true,
      get: () => sync,
      set: (perform: Sync) => {
        sync = paged(perform);
      },
    });
  }
}
