import { isAsync } from './and-then';
import type { NextPage, Page } from './page';
import { RequestError } from './peers';

/**
 * What `next` returned; undefined for parameters without a value, such as the id of the last item of an empty page: they
 * would lead to the first page again.
 *
 * @throws RequestError `BAD_OPTION` if it names no page.
 */
export function checked(next: NextPage): NextPage {
  if (!next || typeof next === 'string' || next instanceof URL) return next;
  const type = Object.prototype.toString.call(next).slice(8, -1);
  const kind = type === 'Array' ? 'a list' : isAsync(next) ? 'a promise' : `of type ${type}`;
  // Others that look like parameters, such as a Map, have no keys of their own.
  if (kind !== 'of type Object') {
    // It is refused here, so its own failure must not surface as an unhandled rejection.
    Promise.resolve(next).catch(() => undefined);
    const problem = `"next" must return a url, query parameters, or nothing, not ${kind}`;
    throw new RequestError('BAD_OPTION', 'read', problem);
  }
  return Object.values(next).every((value) => value === null || value === undefined) ? undefined : next;
}

/**
 * The url of the next page.
 *
 * @param configured The url of the list, as it was configured when that began; not text if it is missing or wrong, which
 *   the core reports.
 * @throws RequestError `BAD_OPTION` for the url of another origin.
 */
export function pageUrl(next: NextPage, page: Page<unknown>, configured: unknown): unknown {
  if (!next || typeof configured !== 'string') return configured;
  // Like the first page, it is read by the method that the url begins with.
  const method = /^\s*[a-z]+\s+/i.exec(configured)?.[0] ?? '';
  if (next instanceof URL) return method + next.href;
  if (typeof next === 'string') return method + linkedUrl(next, page);
  return withQuery(configured, next);
}

/** Sets query parameters; leaves the rest as it is written, since a server may tell `,` from `%2C`. */
function withQuery(
  url: string,
  parameters: Exclude<NextPage, string | URL | false | 0 | null | undefined>,
): string {
  const isKept = (pair: string) =>
    [...new URLSearchParams(pair).keys()].some((name) => !Object.hasOwn(parameters, name));
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : String(new URLSearchParams([[name, String(value)]])),
  );
  return url.replace(/([^?#]*)\??([^#]*)/, (_, path: string, query: string) => {
    const pairs = [...query.split('&').filter(isKept), ...added];
    return `${path}${pairs.length ? '?' : ''}${pairs.join('&')}`;
  });
}

/** Resolves the url that a server has named; it stays relative if the page was requested so. */
function linkedUrl(link: string, { request, response }: Page<unknown>): string {
  // Where a relative url leads: in a document from there, elsewhere where the transport went; else to nobody (RFC 6761).
  const { document, location } = globalThis as Partial<typeof globalThis>;
  const here =
    document?.baseURI ??
    location?.href ??
    (/^[a-z]+:/i.test(response.url) ? response.url : 'http://origin.invalid');
  const url = parsed(link, new URL(response.url || request.url, here));
  if (originOf(url) !== originOf(new URL(request.url, here))) {
    throw badNext(
      `is at ${originOf(url)}, not at the page's origin: to trust that, return a URL object from "next"`,
    );
  }
  // A path that begins with two slashes would be taken for another host.
  const isWhole = /^([a-z][a-z\d+.-]*:)?\/\//i.test(request.url) || url.pathname[1] === '/';
  return isWhole ? url.href : url.href.replace(/^[^/]*\/\/[^/?#]*/, '');
}

/** The origin, also of what has none for browsers (`null`), such as the page of a native shell. */
const originOf = ({ protocol, host }: URL): string => `${protocol}//${host}`;

function parsed(link: string, base: URL): URL {
  try {
    return new URL(link, base);
  } catch {
    throw badNext('has a url that is none: "next" must return one, query parameters, or nothing');
  }
}

const badNext = (problem: string): RequestError =>
  new RequestError('BAD_OPTION', 'read', `the next page ${problem}`);
