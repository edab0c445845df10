import type { Interceptor } from 'rivulet';
import { BehaviorSubject, defer, map, merge, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { part, show, stamp } from './dom.ts';
import { rows } from './rows.ts';

/** One request and its outcome. */
interface Line {
  readonly id: number;
  readonly request: string;
  readonly outcome: string;
}

/** How many requests are shown. */
const longest = 8;

/** The last requests of the page, newest first, as an interceptor sees them. */
export class Traffic {
  readonly #lines$ = new BehaviorSubject<readonly Line[]>([]);
  #count = 0;

  /** Records each request and how it ends. Belongs first in `lib.options.interceptors`. */
  readonly interceptor: Interceptor = (request, next) =>
    defer(() => {
      const id = (this.#count += 1);
      const start = performance.now();
      const note = (outcome: string) => {
        this.#note({ id, request: `${request.method} ${decodeURI(request.url)}`, outcome });
      };
      const end = (outcome: string) => {
        note(`${outcome} after ${String(Math.round(performance.now() - start))} ms`);
      };
      note('under way');
      return next(request).pipe(
        tap({
          next: ({ response }) => {
            end(String(response.status));
          },
          error: () => {
            end('failed');
          },
          // Unsubscribing has aborted the request.
          unsubscribe: () => {
            end('cancelled');
          },
        }),
      );
    });

  /** Shows the requests as the rows of a list. */
  showIn(list: HTMLElement): Observable<unknown> {
    return rows(list, this.#lines$, (element, line$) =>
      defer(() => {
        element.append(stamp('traffic-row'));
        return merge(
          show(part(element, 'request'), line$.pipe(map(({ request }) => request))),
          show(part(element, 'outcome'), line$.pipe(map(({ outcome }) => outcome))),
        );
      }),
    );
  }

  #note(line: Line): void {
    const isKnown = this.#lines$.value.some(({ id }) => id === line.id);
    const lines = isKnown
      ? this.#lines$.value.map((other) => (other.id === line.id ? line : other))
      : [line, ...this.#lines$.value];
    this.#lines$.next(lines.slice(0, longest));
  }
}
