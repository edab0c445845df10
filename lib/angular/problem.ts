/** One thing that a server has against what was sent. */
export interface Fault {
  /** The keys that lead to the value; none if it concerns the whole. */
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * What an answer says is wrong: problem details (RFC 9457) with `errors`, by field (`{ "address.city": ["…"] }`) or as
 * a list of objects, or such a list alone. At least one fault, with the answer's own `detail` or `title` where it names
 * none.
 *
 * @param problem The decoded body.
 * @param fallback The message where the body has none.
 */
export function faultsIn(problem: unknown, fallback: string): readonly Fault[] {
  const message = textOf(problem, ['detail', 'message', 'title']) ?? fallback;
  const errors = Array.isArray(problem) ? problem : isObject(problem) ? problem.errors : undefined;
  const faults = Array.isArray(errors)
    ? errors.map((error: unknown) => faultOf(error, pathOf(error), message))
    : Object.entries(isObject(errors) ? errors : {}).flatMap(([path, found]) =>
        [found].flat().map((error) => faultOf(error, path, message)),
      );
  return faults.length ? faults : [{ path: [], message }];
}

const faultOf = (error: unknown, path: string, fallback: string): Fault => ({
  path: path.split(/[#/.[\]]/).filter(Boolean),
  message: typeof error === 'string' ? error : (textOf(error, ['detail', 'message', 'title']) ?? fallback),
});

/** Where a fault of a list says that it is. */
function pathOf(error: unknown): string {
  const path: unknown = ['pointer', 'name', 'field', 'path']
    .map((key) => (isObject(error) ? error[key] : undefined))
    .find((value) => value !== undefined);
  return Array.isArray(path) ? path.join('.') : typeof path === 'string' ? path : '';
}

/** The first of some keys that holds text. */
const textOf = (source: unknown, keys: readonly string[]): string | undefined =>
  keys.map((key) => (isObject(source) ? source[key] : undefined)).find((value) => typeof value === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
