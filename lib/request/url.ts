import { RequestError } from '../errors';
import { isObject } from '../equal';
import { own } from '../paths';
import type { Resource } from '../resource';
import type { Action, RequestOptions } from '../types';

import { asCalled, evaluate } from './options';

/** Where a request goes; no method unless the url names one. */
export interface Endpoint {
  readonly method: string | undefined;
  readonly url: string;
}

/** A word of letters before blanks is a method; else the blank is part of the url. */
const methodWord = /^([a-z]+)\s+(.+)$/is;

/** Scheme and authority, path, query, fragment (RFC 3986, appendix B); every text matches. */
const parts = /^((?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*)?)([^?#]*)(\?[^#]*)?(.*)$/is;

/** `:name` at the start of a path segment, and of a query value. Ports and times (`12:30`) begin with a digit. */
const pathParameter = /(^|\/):([\p{L}_$][\p{L}\p{N}_$.-]*)/gu;
const queryParameter = /(=):([\p{L}_$][\p{L}\p{N}_$.-]*)/gu;

/** Resolves the url option for one request. */
export function endpointOf(resource: Resource, action: Action, options: RequestOptions): Endpoint {
  const called = asCalled(options);
  const call = (source: unknown) => evaluate(resource, action, 'url', source, [called, action]);
  const configured = call(resource.config.url);
  const isByAction = isObject(configured) && !isUrl(configured);
  const text = textOf(isByAction ? call(own(configured, action)) : configured, action);
  const [, method, url = text] = methodWord.exec(text) ?? [];
  return { method, url: resource.fields ? fill(resource, action, url, isByAction) : url };
}

function textOf(value: unknown, action: Action): string {
  const text = isUrl(value) ? value.href : (value ?? '');
  if (typeof text !== 'string') {
    throw new RequestError('BAD_OPTION', `${action}: the url must be text or a URL, got ${typeof value}`, {
      action,
    });
  }
  if (!text.trim()) {
    throw new RequestError('NO_URL', `${action} needs a url: set "url" for it in the configuration`, { action });
  }
  return text.trim();
}

/** A URL of this realm or another. */
function isUrl(value: unknown): value is URL {
  return Object.prototype.toString.call(value) === '[object URL]';
}

/** Puts values for the parameters, and the id behind the path unless the url says where it goes. */
function fill(resource: Resource, action: Action, url: string, isExact: boolean): string {
  const fields = resource.fields ?? new Map<string, never>();
  let namesId = isExact || action === 'create';
  const put = (_match: string, before: string, name: string) => {
    const path = longestPrefix(name, fields.keys());
    if (path === resource.idAttribute) namesId = true;
    return before + segmentOf(resource, action, path ?? name) + name.slice((path ?? name).length);
  };
  const [, base = '', path = '', query = '', rest = ''] = parts.exec(url) ?? [];
  const filled = path.replace(pathParameter, put);
  const search = query.replace(queryParameter, put);
  const id = namesId ? '' : `/${segmentOf(resource, action, resource.idAttribute)}`;
  return base + (id ? withoutEndSlashes(filled) : filled) + id + search + rest;
}

/** The longest mapped path that a name is or begins with: `id` for `id.json`, not for `idea`. */
function longestPrefix(name: string, paths: Iterable<string>): string | undefined {
  return [...paths]
    .filter((path) => name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}-`))
    .reduce<string | undefined>((longest, path) => (path.length > (longest ?? '').length ? path : longest), undefined);
}

/**
 * A mapped value as one path segment or query value that decodes back to it. `.` and `..` have no such form: even
 * percent-encoded they are steps in the path (URL standard, "double-dot URL path segment").
 */
function segmentOf(resource: Resource, action: Action, path: string): string {
  const isId = path === resource.idAttribute;
  const value = resource.fields?.get(path)?.value;
  if (value === undefined || value === null || value === '' || Number.isNaN(value)) {
    throw new RequestError('BAD_OPTION', `${action}: the url's ":${path}" is not mapped or has no value`, { action });
  }
  const isText = ['string', 'number', 'bigint', isId ? '' : 'boolean'].includes(typeof value);
  const text = isText ? encoded(String(value as string)) : undefined;
  if (text === undefined || text === '.' || text === '..') {
    throw new RequestError(
      isId ? 'BAD_ID' : 'BAD_OPTION',
      `${action}: the value of "${path}" cannot be part of a url; it must be text or a number, not "." or ".."`,
      { action },
    );
  }
  return text;
}

function encoded(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined; // a lone surrogate
  }
}

// Not a regular expression: one for slashes at the end takes quadratic time on many slashes elsewhere.
function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
