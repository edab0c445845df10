import { RequestError, badOption } from '../errors';
import { isObject, own } from '../objects';
import { isWithin } from '../paths';
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
  const isByAction = isObject(url) && !(url instanceof URL);
  if (isByAction) url = call(own(url, action));
  // For a live record, `read` is the url of its list.
  const isExact = action === 'create' || (isByAction && !(resource.isInList && action === 'read'));
  const text = url instanceof URL ? url.href : (url ?? '');
  if (typeof text !== 'string') throw badOption(action, `"url" must be text, not of type ${typeof text}`);
  const [, word, rest = text] = /^\s*([a-z]+)\s+(.*)/is.exec(text) ?? [];
  const address = rest.trim();
  if (!address)
    throw new RequestError('NO_URL', action, '"url" must be set, or return a url, for this action');
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
    const value = fields.find((each) => each.path === path)?.field.value;
    // A falsey id does not count, and `true` identifies no record.
    const segment = isId && (!value || value === true) ? undefined : segmentOf(value);
    if (segment !== undefined) return segment;
    throw new RequestError(
      isId && value ? 'BAD_ID' : 'BAD_OPTION',
      action,
      `the url needs "${path}", which is not mapped, or has no value that a url can hold`,
    );
  };
  // A parameter stands at the start of a path segment or query value. A port or a time (`12:30`) begins with a digit.
  const put = (text: string) =>
    text.replace(/^:([^\W\d][\w.]*)/, (_, name: string) => {
      // `:id.json` is the mapped `id` plus a suffix; paths never lie inside one another, so at most one matches.
      const path = fields.find((each) => isWithin(name, each.path))?.path ?? name;
      return segmentAt(path) + name.slice(path.length);
    });
  const parts = /^((?:(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*)?)([^?#]*)(.*)/is;
  return url.replace(parts, (_, base: string, path: string, query: string) => {
    const segments = path.split('/').map(put);
    const search = query.split('=').map(put).join('=');
    if (!isIdPlaced) {
      while (segments.length > 1 && !segments.at(-1)) segments.pop();
      segments.push(segmentAt(idAttribute));
    }
    return base + segments.join('/') + search;
  });
}

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
