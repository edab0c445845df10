import type { WritableSignal } from '@angular/core';

import type { DataModel, DataOf } from '../index';

import { assign } from './assign';
import { injectorOf, scopeOf } from './context';
import type { ContextOptions } from './context';
import { writable } from './signals';

/**
 * A record as the model of a signal form: `form(formModel(person))`.
 *
 * Reads the record's data, so what a server answers reaches the form; writes only what differs, so that only the edited
 * field emits. Whether there is something to save the record knows: `isDirty$`.
 *
 * @param options `injector`: needed outside of an injection context.
 */
export function formModel<R extends DataModel>(
  record: R,
  options?: ContextOptions,
): WritableSignal<DataOf<R>> {
  const scope = scopeOf(injectorOf(formModel, options));
  return writable(record.data$, scope, (value) => {
    assign(record, value);
  });
}
