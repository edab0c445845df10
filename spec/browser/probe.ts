import type { Observable, Subscription } from 'rxjs';

import { RequestError, createLib } from 'rivulet';
import type { Concern, RequestOptions, UrlByAction } from 'rivulet';

import type { Item } from '../people';
import { Person } from '../person';

/** The requests of the record, the new record and the list in the page. */
export const operations = ['read', 'update', 'delete', 'create', 'list', 'add'] as const;
export type Operation = (typeof operations)[number];

/** The state of the last request, and what it has left behind: plain data, which can leave the page. */
export interface Report {
  /** The status of the answer, or the name or code of the failure; null for neither. */
  readonly outcome: string | null;
  /** The name or code of the error in `error$`. */
  readonly error: string | null;
  /** Whether `error$` shows the same object that the request failed with. */
  readonly isSameError: boolean;
  /** Whether any data, confirmed data included, differs from when the request began. */
  readonly isWritten: boolean;
  readonly data: unknown;
  /** The flags that are up. */
  readonly busy: string[];
}

/** Options that can be passed into the page: plain data. */
export type Options = Pick<
  RequestOptions,
  'attrs' | 'cache' | 'credentials' | 'keepalive' | 'mode' | 'redirect' | 'timeout'
> & { readonly headers?: Record<string, string> };

interface Call {
  readonly concern: Concern;
  readonly cold: (options: RequestOptions) => Observable<Response>;
  readonly eager: (options: RequestOptions) => Promise<Response>;
}

const dan = { name: 'Dan' };
const flags = ['isReading$', 'isCreating$', 'isUpdating$', 'isDeleting$', 'isSaving$', 'requestInProgress$'];

/** The library in a page or a worker: an edited record, a new one and a list, and the last request of any of them. */
export class Probe {
  /** The url of the records and the list. */
  url: string | UrlByAction = '/people';
  /** For specs that pass the request a signal of its own. */
  readonly controller = new AbortController();
  /** The answer to the last request. */
  response: Response | undefined;
  failure: unknown;
  subscription: Subscription | undefined;
  #concern: Concern | undefined;
  #before = '';
  readonly #root = createLib();
  readonly #calls: Record<Operation, Call>;

  constructor() {
    const known = this.person(7);
    const fresh = this.person(undefined);
    known.name.next('Bea');
    const list = this.#root.collection<Item>({ url: () => this.url, data: [{ id: 1, name: 'Eve' }] });
    this.#calls = {
      read: { concern: known, cold: (o) => known.fetch$(o), eager: (o) => known.fetch(o) },
      update: { concern: known, cold: (o) => known.save$(o), eager: (o) => known.save(o) },
      delete: { concern: known, cold: (o) => known.destroy$(o), eager: (o) => known.destroy(o) },
      create: { concern: fresh, cold: (o) => fresh.save$(o), eager: (o) => fresh.save(o) },
      list: { concern: list, cold: (o) => list.fetch$(o), eager: (o) => list.fetch(o) },
      add: { concern: list, cold: (o) => list.create$(dan, o), eager: (o) => list.create(dan, o) },
    };
  }

  /** Makes another record. */
  person(id: number | undefined): Person {
    return new Person(this.#root, { url: () => this.url }, { id });
  }

  /** Makes a request as a promise, and reports once it has settled. */
  async run(operation: Operation, options: RequestOptions = {}): Promise<Report> {
    const { eager } = this.#start(operation);
    try {
      this.response = await eager(options);
    } catch (error) {
      this.failure = error;
    }
    return this.report();
  }

  /** Makes a request as a stream, and leaves it under way. */
  begin(operation: Operation, options: RequestOptions = {}): void {
    const { cold } = this.#start(operation);
    this.subscription = cold(options).subscribe({
      next: (response) => {
        this.response = response;
      },
      error: (error: unknown) => {
        this.failure = error;
      },
    });
  }

  report(): Report {
    const concern = this.#concern as unknown as Record<string, { readonly value: unknown } | undefined>;
    const shown = concern.error$?.value;
    return {
      outcome: this.response ? String(this.response.status) : labelOf(this.failure),
      error: labelOf(shown),
      isSameError: shown === this.failure,
      isWritten: this.#snapshot() !== this.#before,
      data: this.#concern?.toJSON(),
      busy: flags.filter((flag) => concern[flag]?.value),
    };
  }

  /** Disposes of the record or list of the last request. */
  dispose(): void {
    this.#concern?.dispose();
  }

  #start(operation: Operation): Call {
    const call = this.#calls[operation];
    this.#concern = call.concern;
    this.#before = this.#snapshot();
    this.response = undefined;
    this.failure = null;
    return call;
  }

  #snapshot(): string {
    const concern = this.#concern;
    return JSON.stringify([concern, concern instanceof Person && concern.dirtyMap()]);
  }
}

/** The code or name that distinguishes failures. */
const labelOf = (error: unknown): string | null =>
  error instanceof RequestError ? error.code : ((error as Error | null)?.name ?? null);
