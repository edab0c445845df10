import type { Page } from './page';

/** One link: its target, and its parameters, whose values are tokens or quoted text (RFC 8288, section 3). */
const links = /<([^<>]*)>((?:\s*;\s*[^\s=;,]+(?:\s*=\s*(?:"(?:\\.|[^"\\])*"|[^\s;,"]*))?)*)/g;
const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i;

/**
 * The next page as a `Link` header names it (RFC 8288: `<…>; rel="next"`), as GitHub, GitLab, WordPress and json-server 0.17
 * answer. For `next` of a `PagedCollection`.
 *
 * @returns The url as it stands in the header, which may be relative to that of the page; undefined if there is none. A page
 *   of another origin must name the header in `Access-Control-Expose-Headers`: otherwise the browser hides it.
 */
export function nextLink({ response }: Pick<Page<unknown>, 'response'>): string | undefined {
  for (const [, url, parameters] of (response.headers.get('link') ?? '').matchAll(links)) {
    const [, quoted, token] = relation.exec(String(parameters)) ?? [];
    const relations = (quoted ?? token ?? '').toLowerCase().split(/\s/);
    // One with an anchor is a link of something else.
    if (relations.includes('next') && !/;\s*anchor\s*=/i.test(String(parameters))) return url;
  }
  return undefined;
}
