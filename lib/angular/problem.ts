/** One thing that a server has against what was sent. */
export interface Fault {
  /** The keys that lead to the value; none if it concerns the whole. */
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * What a refused answer has against the values: problem details (RFC 9457) with `errors`, by field
 * (`{ "address.city": ["…"] }`) or as a list of objects, or such a list alone. A 422 that names none has one against the
 * whole; any other answer has none.
 *
 * @param problem The decoded body.
 */
export function faultsIn(problem: unknown, status: number): readonly Fault[] {
  const message = messageOf(problem) ?? `the server answered ${status}`;
  const errors = Array.isArray(problem) ? problem : isObject(problem) ? problem.errors : undefined;
  const faults = Array.isArray(errors)
    ? errors.map((error: unknown) => faultOf(error, pathOf(error), message))
    : Object.entries(isObject(errors) ? errors : {}).flatMap(([path, found]) =>
        [found].flat().map((error) => faultOf(error, path, message)),
      );
  return faults.length || status !== 422 ? faults : [{ path: [], message }];
}

const faultOf = (error: unknown, path: string, fallback: string): Fault => ({
  path: path.split(/[#/.[\]]/).filter(Boolean),
  message: typeof error === 'string' ? error : (messageOf(error) ?? fallback),
});

/** Where a fault of a list says that it is. */
function pathOf(error: unknown): string {
  const path = ['pointer', 'name', 'field', 'path']
    .map((key) => (isObject(error) ? error[key] : undefined))
    .find((value) => value !== undefined);
  return Array.isArray(path) ? path.join('.') : typeof path === 'string' ? path : '';
}

const messageOf = (source: unknown): string | undefined =>
  ['detail', 'message', 'title']
    .map((key) => (isObject(source) ? source[key] : undefined))
    .find((value) => typeof value === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
