/** The requests tried: those of a record, and the read of a collection. */
const actions = ['read', 'update', 'create', 'destroy', 'list'] as const;

/** One of {@link actions}. */
export type Action = (typeof actions)[number];

/**
 * The outcome of a request for the user.
 *
 * `written`: it succeeds, and the answer is in the fields, or is the items.
 * - `empty`: it succeeds and writes nothing; what a save has sent counts as confirmed.
 * - `gone`: it succeeds, and the record is new and clean.
 * - `refused`: it resolves with `ok` false and changes nothing.
 *
 * The others are the name of the platform's error, or the code of the library's, with which it fails; nothing changes.
 */
export type Outcome =
  'written' | 'empty' | 'gone' | 'refused' | 'TypeError' | 'TimeoutError' | 'PARSE' | 'SHAPE';

/** One action on a route with a fault. */
export interface Cell {
  /** The route and its parameters, as in a url. */
  readonly fault: string;
  readonly action: Action;
  readonly outcome: Outcome;
}

type Outcomes = Readonly<Record<Action, Outcome>>;

const all = (outcome: Outcome): Outcomes => ({
  read: outcome,
  update: outcome,
  create: outcome,
  destroy: outcome,
  list: outcome,
});

/** A delete counts by its status alone, whatever comes after the head of an ok answer. */
const ok = (outcome: Outcome): Outcomes => ({ ...all(outcome), destroy: 'gone' });

/** A write is accepted, although its answer is not JSON; a read has returned no data. */
const foreign: Outcomes = { ...ok('empty'), read: 'PARSE', list: 'PARSE' };

/** Nothing in it belongs to a record; for a list it is an error. */
const shapeless: Outcomes = { ...ok('empty'), list: 'SHAPE' };

const listOnly: Outcomes = { ...ok('empty'), list: 'written' };
const recordOnly: Outcomes = { ...ok('written'), list: 'SHAPE' };

const statuses = (as: readonly string[], ...codes: number[]): string[] =>
  codes.flatMap((code) => as.map((each) => `status?code=${code}&as=${each}`));

const redirects = (route: string, ...codes: number[]): string[] =>
  codes.map((code) => `${route}?code=${code}`);

/** Faults with the same outcomes together, and the outcome for each action. */
const table: readonly (readonly [Outcomes, readonly string[]])[] = [
  // There is no answer.
  [all('TypeError'), ['refused', 'reset', 'close', 'reset-mid-headers', 'half-headers', 'not-http']],
  [all('TypeError'), ['bad-status-line', 'bad-header', 'dup-content-length', 'length-and-chunks']],
  [all('TypeError'), ['header-overflow', 'switching-protocols', 'continue-first', 'keepalive-kill']],
  [all('TypeError'), ['redirect-loop', 'redirect-scheme', 'redirect-data', 'redirect-no-host']],
  [all('TypeError'), statuses(['record'], 407)],
  [all('TimeoutError'), ['hang', 'hang-headers']],

  // The body ends early or never. Only the text reveals that a gzip was cut.
  [ok('TypeError'), ['reset-mid-body', 'fin-mid-body', 'chunk-truncated', 'bad-chunk']],
  [ok('TypeError'), ['gzip-bad', 'brotli-bad']],
  [ok('TimeoutError'), ['hang-body', 'infinite']],
  [ok('PARSE'), ['gzip-cut']],

  // The text is not JSON, though it claims to be; or it makes no such claim.
  [ok('PARSE'), ['json-truncated', 'json-two-docs', 'json-nan', 'json-invalid', 'json-comma']],
  [ok('PARSE'), ['utf16', 'text-as-json', 'html-as-json']],
  [foreign, ['html-200', 'plain-200', 'binary-200']],

  // There is no data, or none that fits.
  [ok('empty'), [...statuses(['empty'], 200, 201, 202, 204, 205), ...statuses(['blank'], 200, 201)]],
  [ok('empty'), ['body-204', 'body-205']],
  [shapeless, ['json-number', 'json-string', 'json-true', 'json-null', 'json-empty-object']],
  [shapeless, ['json-proto-only', 'envelope']],
  [listOnly, ['json-list', 'huge-array']],
  [recordOnly, ['json-record', ...statuses(['record'], 201, 203, 206, 226)]],

  // The data is sound, however it is delivered.
  [ok('written'), ['ok', 'drip', 'gzip', 'deflate', 'brotli', 'early-hints', 'http10', 'no-reason']],
  [ok('written'), ['trailers', 'double-response', 'extra-body-bytes']],
  [ok('written'), redirects('redirect', 301, 302, 303, 307, 308)],
  [ok('written'), ['bom', 'double-bom', 'json-space', 'xssi', 'xssi-bare']],
  [ok('written'), ['json-as-text', 'json-as-html', 'json-as-image', 'json-vendor-type']],
  [ok('written'), ['json-latin1', 'json-bad-type', 'json-no-type']],
  [ok('written'), ['json-proto', 'json-extra-fields', 'json-duplicate-key', 'json-bigint', 'json-unicode']],
  [ok('written'), ['huge', 'gzip-bomb', 'deep', 'deep-object']],

  // The server refuses, whatever body it sends.
  [all('refused'), statuses(['record', 'html', 'problem', 'empty'], 400, 401, 404, 422, 500, 503)],
  [all('refused'), statuses(['record'], 300, 402, 403, 405, 406, 408, 409, 410, 411, 412, 413, 415)],
  [all('refused'), statuses(['record'], 421, 423, 425, 428, 429, 431, 451, 501, 502, 504, 511, 599, 999)],
  [all('refused'), statuses(['empty'], 304)],
  [all('refused'), redirects('redirect-no-location', 301, 302, 303, 307, 308)],
  [all('refused'), ['flaky', 'retry-after', 'retry-after-date', 'error-hang-body', 'error-cut-body']],
];

/** Every fault with every action. */
export const cells: readonly Cell[] = table.flatMap(([outcomes, faults]) =>
  faults.flatMap((fault) => actions.map((action) => ({ fault, action, outcome: outcomes[action] }))),
);
