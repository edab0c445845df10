import { member } from './member';

/** One thing that a server found wrong with what was sent. */
export interface Fault {
  /** The keys that lead to the value; empty if it concerns the whole. */
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * What a refused answer reports about the values: problem details (RFC 9457) with `errors`, by field
 * (`{ "address.city": ["…"] }`) or as a list of objects, or such a list alone; or the `invalid-params` of RFC 7807. A 422
 * that names none has one for the whole; any other answer has none.
 *
 * @param problem The decoded body.
 */
export function faultsIn(problem: unknown, status: number): readonly Fault[] {
  const message = textAt(problem, messageNames) ?? `the server answered ${status}`;
  const errors = Array.isArray(problem)
    ? problem
    : (member(problem, 'invalid-params') ?? member(problem, 'errors'));
  // A server that fails says nothing about the values.
  const faults = Object.entries(
    Object(status < 500 && typeof errors === 'object' && errors) as object,
  ).flatMap(([key, found]) =>
    [found as unknown].flat().map((error) => ({
      path: decoded(textAt(error, pathNames) ?? (Array.isArray(errors) ? '' : key))
        .split(/[#/.,[\]]/)
        .filter(Boolean)
        // Unescapes what RFC 6901 escapes, since it would end a step.
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
      message: typeof error === 'string' ? error : (textAt(error, messageNames) ?? message),
    })),
  );
  return faults.length || status !== 422 ? faults : [{ path: [], message }];
}

/** Where a message may be, and a path: dotted, a JSON pointer or a list of keys. */
const messageNames = ['detail', 'reason', 'message', 'title'];
const pathNames = ['pointer', 'path', 'field', 'name'];

/** A pointer in the form of a fragment is percent-encoded (RFC 6901, section 6); any other path stays as it is. */
function decoded(path: string): string {
  try {
    return path.replace(/^#.*/, decodeURIComponent);
  } catch {
    return path;
  }
}

/** The first member of those names that is text or a list of text, as text. */
const textAt = (source: unknown, names: readonly string[]): string | undefined =>
  names
    .map((name) => member(source, name))
    .find((value) => member(value, 'length') && [value].flat().every((text) => typeof text !== 'object'))
    ?.toString();
