import { overlay } from './data';
import type { IsField } from './data';

/** What is needed of a record to get its data. */
export interface Fielded {
  readonly idAttribute: string;
  readonly hasMappedField: IsField;
  get(): unknown;
}

/** The data that a record shows, with other data laid over it. */
export const dataWith = (record: Fielded, above: unknown = {}, below: unknown = record.get()): unknown =>
  overlay(below, above, record.hasMappedField);

/** The data of records as their last saves made it: values edited since then may be half typed. */
export const saved: WeakMap<object, unknown> = new WeakMap<object, unknown>();
