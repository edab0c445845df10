import { gzipSync } from 'node:zlib';

import { answer, json, ordinary } from './answers.ts';
import type { Route, Routes } from './route.ts';

/** A change to the JSON of an ordinary answer; `mb` is the size requested. */
type Change = (text: string, mb: number) => string;

const nested = (depth: number, open: string, close: string): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Inserts properties before those of the first object. */
const prepended =
  (properties: string): Change =>
  (text) =>
    text.replace('{', `{${properties},`);

/** Replaces the first name with some JSON. */
const named =
  (name: (mb: number) => string): Change =>
  (text, mb) =>
    text.replace('"Bo"', () => name(mb));

const long = (mb: number): string => `"${'x'.repeat(mb * 2 ** 20)}"`;

/** Keys by which data could reach a prototype, or pass for something else. */
const hostile = [
  '"__proto__":{"name":"No","address":{"city":"No"},"isPolluted":true}',
  '"constructor":{"prototype":{"isPolluted":true}}',
  '"toString":"No","valueOf":"No","hasOwnProperty":"No","toJSON":"No","then":"No"',
].join(',');

/** Keys that a record has no field for, and must never take from outside. */
const assigned = '"isAdmin":true,"url":"/no","save":"No","isDirty$":"No","sync":"No","address.city":"No"';

/** Long, but short when compressed. */
const bomb = named((mb) => long(2 * mb));

/** Data that is sound JSON, and is written unchanged. */
export const unusual: Readonly<Record<string, Change>> = {
  'json-proto': prepended(hostile),
  'json-extra-fields': prepended(assigned),
  'json-duplicate-key': prepended('"name":"No"'),
  'json-bigint': (text) => text.replace(/"id":\d+/, '"id":9007199254740993'),
  'json-unicode': named(() => String.raw`"\ud83c\udf0a\u2028\ud800"`),
  huge: named(long),
  'gzip-bomb': bomb,
  'huge-array': () =>
    JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, name: 'Bo' }))),
  deep: named(() => nested(200_000, '[', ']')),
  'deep-object': named(() => nested(200_000, '{"x":', '}')),
};

/** Sound JSON in a wrapping that is removed. */
const wrapped: Readonly<Record<string, Change>> = {
  bom: (text) => `\uFEFF${text}`,
  'double-bom': (text) => `\uFEFF\uFEFF${text}`,
  'json-space': (text) => `\r\n\t ${text} \r\n`,
  xssi: (text) => `)]}',\n${text}`,
  'xssi-bare': (text) => `)]}'\n${text}`,
};

/** Texts that claim to be JSON and are not. */
const broken: Readonly<Record<string, Change>> = {
  'json-truncated': (text) => text.slice(0, -1),
  'json-two-docs': (text) => `${text}\n${text}`,
  'json-nan': named(() => 'NaN'),
  'json-invalid': named(() => "'Bo'"),
  'json-comma': (text) => text.replace(/(.)$/, ',$1'),
  'text-as-json': () => 'OK',
  'html-as-json': () => '<!doctype html><title>Sign in</title>',
};

/** Sound JSON of an unexpected shape. */
const misshapen: Readonly<Record<string, Change>> = {
  'json-number': () => '7',
  'json-string': () => '"Bo"',
  'json-true': () => 'true',
  'json-null': () => 'null',
  'json-empty-object': () => '{}',
  envelope: (text) => `{"data":${text}}`,
  'json-proto-only': (text) => `{"__proto__":${text}}`,
  'json-list': () => '[{"id":1,"name":"Bo"},{"id":2,"name":"Cy"}]',
  'json-record': () => '{"id":7,"name":"Bo","address":{"city":"Rome"}}',
};

/** Content types that say nothing true of the JSON they come with. */
const types: Readonly<Record<string, string | undefined>> = {
  'json-as-text': 'text/plain',
  'json-as-html': 'text/html; charset=utf-8',
  'json-as-image': 'image/png',
  'json-vendor-type': 'application/vnd.api+json; version=1',
  'json-latin1': 'application/json; charset=latin1',
  'json-bad-type': ';;=',
  'json-no-type': undefined,
};

const typed = (type?: string) => (type ? { 'content-type': type } : {});

const each = <T>(table: Readonly<Record<string, T>>, routeOf: (entry: T) => Route): Routes =>
  Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, routeOf(entry)]));

const changed = (change: Change): Route =>
  answer((hit) => change(ordinary(hit), Number(hit.parameters.get('mb') ?? 1)));

/** Answers whose text is unusual, broken or misshapen. */
export const texts: Routes = {
  ...each({ ...unusual, ...wrapped, ...broken, ...misshapen }, changed),
  ...each(types, (type) => answer(ordinary, typed(type))),
  'gzip-bomb': answer((hit) => gzipSync(bomb(ordinary(hit), 1)), {
    'content-type': json,
    'content-encoding': 'gzip',
  }),
  utf16: answer((hit) => Buffer.from(ordinary(hit), 'utf16le')),
  'html-200': answer(() => '<!doctype html><title>Sign in</title>', typed('text/html')),
  'plain-200': answer(() => 'OK', typed('text/plain')),
  'binary-200': answer(() => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]), typed('image/png')),
};
