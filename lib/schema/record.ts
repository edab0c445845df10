import { overlay } from './data';
import type { IsField } from './data';

/** All that is asked of a record for its data. */
export interface Fielded {
  readonly hasMappedField: IsField;
  get(): unknown;
}

/** The data that a record shows, with others laid over them. */
export function dataWith(record: Fielded, above: unknown = {}): unknown {
  const isField = record.hasMappedField;
  return overlay(overlay({}, record.get(), isField), above, isField);
}

/** The data of records as their last saves have made them: those edited since may be half typed. */
export const saved: WeakMap<object, unknown> = new WeakMap<object, unknown>();
