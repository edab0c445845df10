import { overlay } from './data';
import type { IsField } from './data';

/** All that is asked of a record for its data. */
export interface Fielded {
  readonly hasMappedField: IsField;
  get(): unknown;
}

/** The data that a record shows, with others laid over them. */
export const dataWith = (record: Fielded, above: unknown = {}, below: unknown = record.get()): unknown =>
  overlay(below, above, record.hasMappedField);

/** The data of records as their last saves have made them: those edited since may be half typed. */
export const saved: WeakMap<object, unknown> = new WeakMap<object, unknown>();
