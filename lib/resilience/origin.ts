/** What pages and workers have, and servers lack. */
type Place = Partial<Pick<typeof globalThis, 'document' | 'location'>>;

/** The origin of the page or worker; undefined if there is none, or if it has no address of its own. */
export function ownOrigin(): string | undefined {
  const { location } = globalThis as Place;
  return location && originOf(location.href);
}

/**
 * The origin (RFC 6454) that `fetch` would send a request to: a relative url is resolved against the base url of the
 * document. Undefined if there is none: for a relative url without a page, for `data:`, for an invalid url.
 */
export function originOf(url: string): string | undefined {
  const { document, location } = globalThis as Place;
  try {
    const { origin } = new URL(url, document?.baseURI ?? location?.href);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
