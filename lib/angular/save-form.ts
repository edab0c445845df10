import type { DataModel, RequestOptions } from '../index';

import { member } from './member';
import { defer, equal, lastValueFrom, of, ok, timeout } from './peers';
import { faultsIn } from './problem';

/** A field tree of a signal form, or one of its fields. */
type FormField = () => unknown;

/** An error as the submission of a signal form returns it. */
export interface FormError<F extends FormField> {
  /** Distinguishes it from the errors of validators. */
  readonly kind: 'server';
  /** What to show, in the server's words if it sent some. */
  readonly message: string;
  /** The field that it concerns; the form if that is unknown. */
  readonly fieldTree: F;
}

/**
 * The action that submits a signal form by saving its record: `submit(personForm, saveForm(person))`.
 *
 * What a refused answer reports about the values (a 422, or problem details as in RFC 9457 with `errors`) becomes errors of
 * the fields that it names. One of a field that is unknown is of the form, and so is a 422 that names none, or not within five
 * seconds. Angular clears each on the next edit of its field, and blocks submission until then. Errors of a value that was
 * changed since then are left out.
 *
 * Any other refusal, or one whose errors are all left out, rejects with a `RequestError` (code `HTTP`); a failure rejects as
 * it is. The promise of `submit` rejects too, and the form can be submitted again. `error$` is set.
 *
 * Like any save, it waits for the writes that were called before, and sends what the record shows by then.
 *
 * A form's errors stay as long as its values, even when its record shows another id: make a new form for each, for example
 * in a component keyed by the id.
 *
 * @param options Options of the save.
 * @returns The function that `submit` and the form's `submission` option take; resolves with the errors, or undefined once
 *   saved. `FormRoot`, which submits by itself, handles no rejection: pass it one that catches,
 *   `(field, detail) => save(field, detail).catch(() => undefined)`.
 */
export function saveForm(
  record: DataModel,
  options?: RequestOptions,
): <F extends FormField>(
  form: F,
  detail?: { readonly root: unknown },
) => Promise<readonly FormError<F>[] | undefined> {
  return async <F extends FormField>(form: F, detail?: { readonly root: unknown }) => {
    // A `save$` of the record's own may pass on other options.
    let sent: unknown = record.get();
    const begun = () => (sent = record.get());
    const response = await lastValueFrom(record.save$({ ...options, begun }));
    if (response.ok) return undefined;
    // Paths begin at the record, also when a part of its form is submitted.
    const root = detail?.root ?? form;
    // Reads a copy: whoever catches the error may want to read the answer as well. One that stalls must not keep the form
    // from being submitted again.
    const body = await lastValueFrom(
      defer(() => response.clone().json() as Promise<unknown>).pipe(timeout(5000)),
    ).catch(() => 0);
    // A value changed in the meantime is not the one that the server has seen, nor is that of another record.
    const isAsSent = (path: readonly string[]) =>
      equal(path.reduce(member, record.get()), path.reduce(member, sent));
    const faults = faultsIn(body, response.status).filter(({ path }) =>
      [path, record.idAttribute.split('.')].every(isAsSent),
    );
    // Fails with the error that `error$` was set to.
    if (!faults.length) await lastValueFrom(of(response).pipe(ok()));
    return faults.map(({ path, message }) => {
      const found = path.reduce(member, root);
      // A list's `length` is found here, too, but is not a field.
      return { kind: 'server', message, fieldTree: (typeof found === 'function' ? found : root) as F };
    });
  };
}
