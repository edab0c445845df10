import { Service, computed, signal } from '@angular/core';

/** One request of the page and its outcome. */
export interface NotedRequest {
  readonly id: number;
  readonly method: string;
  readonly address: string;
  readonly outcome: string;
  readonly kind: 'open' | 'good' | 'bad' | 'given-up';
}

/** How many requests are shown. */
const longest = 10;

/** The faults that the visitor chose, and the last requests. */
@Service()
export class Network {
  /** Milliseconds added to each answer, as text; `''` for none. */
  readonly delay = signal('');
  /** How requests fail: a status, `reset` or `after`; `''` for not at all. */
  readonly fault = signal('');
  /** Both as query parameters of the example server. */
  readonly switches = computed(() => ({
    ...(this.delay() && { _delay: this.delay() }),
    ...(this.fault() && { _fail: this.fault() }),
  }));

  readonly #requests = signal<readonly NotedRequest[]>([]);
  /** The last requests, newest first. */
  readonly requests = this.#requests.asReadonly();
  #count = 0;

  /** Records a request. Returns a function that records its outcome. */
  begin(method: string, address: string): (outcome: string, kind: NotedRequest['kind']) => void {
    const id = (this.#count += 1);
    const begun: NotedRequest = { id, method, address, outcome: 'under way', kind: 'open' };
    this.#requests.update((requests) => [begun, ...requests].slice(0, longest));
    return (outcome, kind) => {
      this.#requests.update((requests) =>
        requests.map((request) => (request.id === id ? { ...begun, outcome, kind } : request)),
      );
    };
  }
}
