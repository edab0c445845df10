import type { DataModel, RequestOptions } from '../index';

import { faultsIn } from './problem';
import type { Fault } from './problem';

/** A field tree of a signal form, or one of its fields. */
type FormField = () => unknown;

/** An error as a signal form takes it from its submission. */
export interface FormError<F extends FormField> {
  /** `'server'` for what the server refuses, `'failure'` for a request that failed. */
  readonly kind: 'server' | 'failure';
  readonly message: string;
  /** The field that it concerns; the form where that is unknown. */
  readonly fieldTree: F;
}

/**
 * The action that submits a signal form by saving its record: `submit(personForm, saveForm(person))`.
 *
 * What a refused answer has against single fields becomes an error of these (problem details as in RFC 9457, with
 * `errors`); everything else an error of the form, a server that cannot be reached too: submitting never throws.
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
    const root = (detail?.root ?? form) as F;
    try {
      const response = await record.save(options);
      return response.ok ? undefined : (await faultsOf(response)).map((fault) => errorOf(root, fault));
    } catch (error) {
      const { message } = error as Error;
      return [{ kind: 'failure', message, fieldTree: root }];
    }
  };
}

async function faultsOf(response: Response): Promise<readonly Fault[]> {
  const fallback = `the server answered ${response.status} ${response.statusText}`.trim();
  const problem: unknown = await response.json().catch(() => undefined);
  return faultsIn(problem, fallback);
}

function errorOf<F extends FormField>(root: F, { path, message }: Fault): FormError<F> {
  const field = path.reduce<unknown>(
    (node, key) => (node as Record<string, unknown> | undefined)?.[key],
    root,
  );
  return { kind: 'server', message, fieldTree: (field ?? root) as F };
}
