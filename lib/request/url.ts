import { RequestError, badOption } from '../errors';
import { isPlain, own } from '../objects';
import type { Resource } from '../resource';
import type { Action, RequestOptions } from '../types';

import { evaluate } from './options';

/** Resolves the url option for one request; a method only if the url begins with a word of letters and whitespace. */
export function endpointOf(
  resource: Resource,
  action: Action,
  options: RequestOptions,
): { readonly method: string | undefined; readonly url: string } {
  const call = (option: unknown) => evaluate(resource, action, 'url', option, options, action);
  let url = call(resource.config.url);
  const isByAction = isPlain(url);
  if (isByAction) url = call(own(url, action));
  // For a live record, `read` is the url of its list.
  const isExact = action === 'create' || (isByAction && !(resource.isInList && action === 'read'));
  const text = url instanceof URL ? url.href : (url ?? '');
  if (typeof text !== 'string') throw badOption(action, `"url" must be text, not of type ${typeof text}`);
  const [, word, rest = text] = /^\s*([a-z]+)\s+(.*)/is.exec(text) ?? [];
  const address = rest.trim();
  if (!address) throw new RequestError('NO_URL', action, 'no url: set "url", or return one for this action');
  // GET and HEAD are for reading the list or record; nothing is written with them.
  const method = action !== 'read' && word && /^(get|head)$/i.test(word) ? undefined : word;
  return { method, url: fill(resource, action, address, isExact) };
}

/** Replaces the parameters by their values, and appends the id to the path unless the url says where it goes. */
function fill({ fields, idAttribute }: Resource, action: Action, url: string, isExact: boolean): string {
  if (!fields) return url;
  let isIdPlaced = isExact;
  const segmentAt = (path: string): string => {
    const isId = path === idAttribute;
    isIdPlaced ||= isId;
    const entry = fields.find((each) => each.path === path);
    const value = entry?.field.value;
    // A falsey id does not count, and `true` identifies no record.
    const segment = isId && (!value || value === true) ? undefined : segmentOf(value);
    if (segment !== undefined) return segment;
    if (isId && value)
      throw new RequestError(
        'BAD_ID',
        action,
        'the id has no form in a url: use text or a number, but not "." or ".."',
      );
    const lack = entry ? 'which has no value that it can hold' : 'where no field is mapped';
    throw badOption(action, `the url needs "${path}", ${lack}`);
  };
  const put = (text: string) => {
    const path = parameterOf(text, fields);
    return path ? segmentAt(path) + text.slice(path.length + 1) : text;
  };
  const parts = /^((?:(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*)?)([^?#]*)([^#]*)(.*)/is;
  return url.replace(parts, (_, base: string, path: string, query: string, fragment: string) => {
    const given = path.split('/');
    const segments = given.map(put);
    const search = query.split('=').map(put).join('=');
    if (!isIdPlaced) {
      while (segments.length > 1 && !segments.at(-1)) segments.pop();
      segments.push(segmentAt(idAttribute));
    }
    // Data must not choose the server: neither as a scheme (`:name:8080/x`) nor as the host (`///:name`).
    const firstPut = segments.findIndex((segment, place) => segment !== given[place]);
    const isScheme = firstPut === 0 && segments[0]?.includes(':');
    if (isScheme || (firstPut > 0 && isHostOpen(base + segments.slice(0, firstPut).join('/'))))
      throw badOption(action, '"url" must name a host, or begin with a single slash');
    return base + segments.join('/') + search + fragment;
  });
}

/**
 * The path that a segment or query value begins with as a parameter: the longest that is mapped, or else what could be one;
 * undefined if it has none. What follows it stays (`:id.json`). A port or a time (`12:30`) begins with a digit.
 */
function parameterOf(text: string, fields: NonNullable<Resource['fields']>): string | undefined {
  if (!/^:\D/.test(text)) return undefined;
  const isNamed = (path: string) =>
    text.startsWith(path, 1) && !/^\p{ID_Continue}/u.test(text.slice(path.length + 1));
  const mapped = fields.map(({ path }) => path).filter(isNamed);
  const [, name] = /^:((?:\p{ID_Start}|_)[\p{ID_Continue}.]*)/u.exec(text) ?? [];
  return mapped.sort((a, b) => b.length - a.length)[0] ?? name;
}

/**
 * Whether what follows would be the host: after a scheme or slashes alone. A browser reads backslashes as slashes, and
 * ignores control characters and leading blanks.
 */
const isHostOpen = (head: string): boolean =>
  /^(?:[a-z][a-z\d+.-]*:[\\/]*|[\\/]+)$/i.test(head.replace(/[\p{Cc} ]/gu, ''));

/**
 * A value as one segment or query value that decodes back to it; undefined if it has no such form. `.` and `..` have none:
 * even percent-encoded they are steps in the path (URL standard, "double-dot URL path segment").
 */
function segmentOf(value: unknown): string | undefined {
  const text = /string|number|bigint|boolean/.test(typeof value) ? String(value) : '';
  try {
    return /^\.?\.?$/.test(text) ? undefined : encodeURIComponent(text);
  } catch {
    // A lone surrogate.
    return undefined;
  }
}
