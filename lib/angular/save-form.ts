import type { DataModel, RequestOptions } from '../index';

import { concat, defer, lastValueFrom, of, ok } from './peers';
import { faultsIn, member } from './problem';
import { written } from './written';

/** A field tree of a signal form, or one of its fields. */
type FormField = () => unknown;

/** An error as a signal form takes it from its submission. */
export interface FormError<F extends FormField> {
  /** By which it is told from the errors of validators. */
  readonly kind: 'server';
  /** What to show, in the server's words where it has some. */
  readonly message: string;
  /** The field that it concerns; the form where that is unknown. */
  readonly fieldTree: F;
}

/**
 * The action that submits a signal form by saving its record: `submit(personForm, saveForm(person))`.
 *
 * What a refused answer has against the values (a 422, or problem details as in RFC 9457 with `errors`) becomes errors of
 * the fields that it names, or of the form where a field is unknown or none is named: as Angular has it, they go with the next
 * edit, and keep the form from being submitted until then. What it has against a value that was changed since is left out.
 *
 * Any other refusal, also one of which all is left out (as a `RequestError` with the code `HTTP`), and any failure reject,
 * also what `submit` returns, so that the form can be submitted again as it is; `error$` shows them too.
 *
 * Saves when the writes under way have ended, their `requestLull` too, what the record shows by then.
 *
 * A form's errors stay as long as its values, also when its record shows another: make a new form for each, as by a
 * component that is keyed by the id.
 *
 * @param options Of the save.
 * @returns The function that `submit` and the form's `submission` option take; resolves with undefined once saved. `FormRoot`, which
 *   submits by itself, hears of no rejection: give it one that catches, `(field, detail) => save(field, detail).catch(() => undefined)`.
 */
export function saveForm(
  record: DataModel,
  options?: RequestOptions,
): <F extends FormField>(
  form: F,
  detail?: { readonly root: unknown },
) => Promise<readonly FormError<F>[] | undefined> {
  return async <F extends FormField>(form: F, detail?: { readonly root: unknown }) => {
    let sent: unknown;
    const saved$ = defer(() => {
      // As it is when its turn comes: what was under way may have changed it.
      sent = record.get();
      return record.save$(options);
    });
    // The last is the response.
    const response = (await lastValueFrom(concat(written(record), saved$))) as Response;
    if (response.ok) return undefined;
    // Paths begin at the record, also when a part of its form is submitted.
    const root = detail?.root ?? form;
    // A copy is read: whoever gets the error may want to read the answer as well.
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    // What was changed meanwhile is not the value that the server has seen, nor is that of another record.
    const isAsSent = (path: readonly string[]) => textAt(record.get(), path) === textAt(sent, path);
    const faults = faultsIn(body, response.status).filter(({ path }) =>
      [path, record.idAttribute.split('.')].every(isAsSent),
    );
    // Fails as `error$` shows it.
    if (!faults.length) await lastValueFrom(of(response).pipe(ok()));
    return faults.map(({ path, message }) => {
      const found = path.reduce(member, root);
      // The length of a list is there, too, and no field.
      return { kind: 'server', message, fieldTree: (typeof found === 'function' ? found : root) as F };
    });
  };
}

const textAt = (data: unknown, path: readonly string[]): string | undefined =>
  JSON.stringify(path.reduce(member, data));
