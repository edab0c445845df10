/**
 * What is made of a list and kept up to date write by write: parts in an order of their own, counts and sums by group,
 * look-ups by value.
 *
 * @module
 */

// Lists kept in order
export { view } from './view';
export type { GroupedView, GroupedViewOptions, View, ViewOptions } from './view';
export type { ListSource } from './live';
export type { Order } from './order';
export type { PageOptions } from './window';

// Counts and sums
export { groups } from './groups';
export type { Group, Groups } from './groups';

// Look-ups
export { index } from './index-by';
export type { Index } from './index-by';

// Where a value is
export type { Key, PathIn, ValueIn, ValueBy } from './paths';
