import { RequestError } from 'rivulet';
import { catchError, defer, map, of, startWith } from 'rxjs';
import type { Observable } from 'rxjs';

/** A failed request in words. */
export interface Trouble {
  /** What to tell the person; `''` while all is well. */
  readonly summary: string;
  /** What is wrong with single fields, by their path. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

/** What the server says of a refusal (RFC 9457). */
interface Problem {
  readonly detail?: string;
  readonly errors?: Trouble['fields'];
}

/**
 * Puts what `error$` shows into words. A stream, because the server's own words are in the body of its answer, which
 * rivulet leaves unread when the answer is a refusal.
 */
export function explain(error: Error | null): Observable<Trouble> {
  if (error instanceof RequestError && error.response) return refusal(error.response);
  return of({ summary: error ? failure(error) : '', fields: {} });
}

function refusal(response: Response): Observable<Trouble> {
  // A copy is read, so that everybody who shows this error can; without one there is less to say.
  const problem$ = defer(() => response.clone().json() as Promise<Problem>);
  return problem$.pipe(
    catchError(() => of<Problem>({})),
    map(({ detail = '', errors = {} }) => ({ summary: words(response, detail, errors), fields: errors })),
    // A body may take its time; that it is a refusal is known already.
    startWith({ summary: words(response, '', {}), fields: {} }),
  );
}

function words({ status, statusText }: Response, detail: string, fields: Trouble['fields']): string {
  const wrong = Object.entries(fields).map(([path, messages]) => `${nameOf(path)} ${messages.join(' and ')}`);
  if (wrong.length > 0) return `Not saved: ${wrong.join('; ')}.`;
  // Somebody else has saved: that is read at once, and what there is to tell of it follows from there.
  if (status === 412) return '';
  if (status === 404)
    return `${detail || 'The server does not have this.'} It may have been deleted meanwhile.`;
  if (status >= 500) return `The server has trouble (${reason(status, statusText)}). Try again in a while.`;
  return detail || `The server refused this (${reason(status, statusText)}).`;
}

function reason(status: number, statusText: string): string {
  return `${String(status)} ${statusText}`.trim();
}

/** What a field is called, by its path. */
export function nameOf(path: string): string {
  return path === 'email' ? 'e-mail' : (path.split('.').at(-1) ?? path);
}

function failure(error: Error): string {
  // What `fetch` fails with when there is no answer, in every browser.
  if (error instanceof TypeError) return 'The server cannot be reached. Is the connection all right?';
  if (error.name === 'TimeoutError') return 'The server took too long to answer.';
  if (error instanceof RequestError && error.code === 'PARSE') {
    return 'Something other than the server answered, perhaps the sign-in page of a network.';
  }
  return error.message;
}
