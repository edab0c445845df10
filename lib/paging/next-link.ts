import type { Page } from './page';

/** One link: its target, and its parameters, whose values are tokens or quoted text (RFC 8288, section 3). */
const links = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:\\.|[^"\\])*"|[^\s;,"]*))?)*)/g;
const parameter = /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s;,"]*)))?/g;

/**
 * The next page as a `Link` header names it (RFC 8288: `<…>; rel="next"`), as GitHub, GitLab, WordPress and json-server 0.17
 * answer. For `next` of a `PagedCollection`.
 *
 * @returns The url as it stands in the header, which may be relative to that of the page; undefined if there is none. A page
 *   of another origin must name the header in `Access-Control-Expose-Headers`: otherwise the browser hides it.
 */
export function nextLink({ response }: Pick<Page<unknown>, 'response'>): string | undefined {
  for (const [, url, text] of (response.headers.get('link') ?? '').matchAll(links)) {
    const parameters = new Map<string, string>();
    for (const [, name, quoted, token] of String(text).matchAll(parameter)) {
      const key = String(name).toLowerCase();
      // Of several, the first counts.
      if (!parameters.has(key)) parameters.set(key, quoted ?? token ?? '');
    }
    const relations = parameters.get('rel')?.toLowerCase().split(/\s/);
    // One with an anchor is a link of something else.
    if (relations?.includes('next') && !parameters.has('anchor')) return url;
  }
  return undefined;
}
