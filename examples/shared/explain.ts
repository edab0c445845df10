import { RequestError } from 'rivulet';
import { catchError, defer, map, of, startWith } from 'rxjs';
import type { Observable } from 'rxjs';

/** A failed request in words. */
export interface Trouble {
  /** What to show to the user; `''` for nothing. */
  readonly summary: string;
  /** What is wrong with individual fields, by path. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

/** What the server says about a refusal (RFC 9457). */
interface Problem {
  readonly detail?: string;
  readonly errors?: Trouble['fields'];
}

/**
 * Puts the value of `error$` into words. A stream, because the server's own words are in the body of its answer, and
 * rivulet does not read the body of a refusal.
 */
export function explain(error: Error | null): Observable<Trouble> {
  if (error instanceof RequestError && error.response) return refusal(error.response);
  return of({ summary: error ? failure(error) : '', fields: {} });
}

function refusal(response: Response): Observable<Trouble> {
  // Reads a copy, so that everything that shows this error can; if that fails, there is less to say.
  const problem$ = defer(() => response.clone().json() as Promise<Problem>);
  return problem$.pipe(
    catchError(() => of<Problem>({})),
    map(({ detail = '', errors = {} }) => ({ summary: words(response, detail, errors), fields: errors })),
    // The body may take a while, but this is already known to be a refusal.
    startWith({ summary: words(response, '', {}), fields: {} }),
  );
}

function words({ status, statusText }: Response, detail: string, fields: Trouble['fields']): string {
  const wrong = Object.entries(fields).map(([path, messages]) => `${nameOf(path)} ${messages.join(' and ')}`);
  if (wrong.length > 0) return `Not saved: ${wrong.join('; ')}.`;
  // Somebody else has saved: the caller reads that at once, and what to say depends on the result.
  if (status === 412) return '';
  if (status === 404)
    return `${detail || 'The server does not have this.'} It may have been deleted in the meantime.`;
  if (status >= 500) return `The server is having trouble (${reason(status, statusText)}). Try again later.`;
  return detail || `The server refused this (${reason(status, statusText)}).`;
}

function reason(status: number, statusText: string): string {
  return `${String(status)} ${statusText}`.trim();
}

/** The name that users see for a field, by its path. */
export function nameOf(path: string): string {
  return path === 'email' ? 'e-mail' : (path.split('.').at(-1) ?? path);
}

function failure(error: Error): string {
  // In every browser, `fetch` fails with this if there is no answer.
  if (error instanceof TypeError) return 'The server cannot be reached. Check your connection.';
  if (error.name === 'TimeoutError') return 'The server took too long to answer.';
  if (error instanceof RequestError && error.code === 'PARSE') {
    return 'Something other than the server answered, perhaps the sign-in page of your network.';
  }
  return error.message;
}
