import type { Observable, Subscription } from 'rxjs';

/** What the subscription to a request has received so far. */
export interface Watched {
  readonly responses: Response[];
  error: unknown;
  isComplete: boolean;
  subscription: Subscription;
}

/** Subscribes to a request and records what it emits. */
export function watch(source: Observable<Response>): Watched {
  const watched = { responses: [] as Response[], error: undefined as unknown, isComplete: false };
  const subscription = source.subscribe({
    next: (response) => {
      watched.responses.push(response);
    },
    error: (error: unknown) => {
      watched.error = error;
    },
    complete: () => {
      watched.isComplete = true;
    },
  });
  return Object.assign(watched, { subscription });
}

/** The values of a stream from now on, in a list that grows. */
export function valuesOf<T>(source: Observable<T>): T[] {
  const values: T[] = [];
  source.subscribe((value) => {
    values.push(value);
  });
  return values;
}
