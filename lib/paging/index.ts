/**
 * Lists that are read page by page: the next page is appended, wherever the server says it is.
 *
 * @module
 */

export { nextLink } from './next-link';
export type { NextPage, Page } from './page';
export { PagedCollection } from './paged-collection';
export type { PagedConfig } from './paged-collection';
