import { lastValueFrom } from 'rxjs';

import { RequestError, ok } from '../index';
import type { DataModel, RequestOptions } from '../index';

import { faultsIn } from './problem';
import type { Fault } from './problem';

/** A field tree of a signal form, or one of its fields. */
type FormField = () => unknown;

/** An error as a signal form takes it from its submission. */
export interface FormError<F extends FormField> {
  readonly kind: 'server';
  readonly message: string;
  /** The field that it concerns; the form where that is unknown. */
  readonly fieldTree: F;
}

/**
 * The action that submits a signal form by saving its record: `submit(personForm, saveForm(person))`.
 *
 * What a refused answer has against the values (a 422, or problem details as in RFC 9457 with `errors`) becomes errors of
 * the fields that it names, the rest errors of the form: as Angular has it, they go with the next edit, and keep the
 * form from being submitted until then.
 *
 * Any other refusal (as a `RequestError` with the code `HTTP`) and any failure reject, also what `submit` returns, so
 * that the form can be submitted again as it is; `error$` shows them too.
 *
 * @param options Of the save.
 * @returns The function that `submit` and the form's `submission` option take; resolves with undefined once saved.
 */
export function saveForm(
  record: DataModel,
  options?: RequestOptions,
): <F extends FormField>(
  form: F,
  detail?: { readonly root: unknown },
) => Promise<readonly FormError<F>[] | undefined> {
  return async <F extends FormField>(form: F, detail?: { readonly root: unknown }) => {
    try {
      await lastValueFrom(record.save$(options).pipe(ok()));
      return undefined;
    } catch (error) {
      const faults = await faultsOf(error);
      if (!faults.length) throw error;
      // The paths begin at the record, also when a part of its form is submitted.
      return faults.map((fault) => errorOf((detail?.root ?? form) as F, fault));
    }
  };
}

async function faultsOf(error: unknown): Promise<readonly Fault[]> {
  const response = error instanceof RequestError && error.code === 'HTTP' ? error.response : undefined;
  if (!response) return [];
  // Whoever gets the error may want to read the answer as well.
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return faultsIn(problem, response.status);
}

function errorOf<F extends FormField>(root: F, { path, message }: Fault): FormError<F> {
  const field = path.reduce<unknown>(
    (node, key) => (node as Record<string, unknown> | undefined)?.[key],
    root,
  );
  return { kind: 'server', message, fieldTree: (field ?? root) as F };
}
