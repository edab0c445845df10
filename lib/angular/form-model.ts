import type { DataModel, DataOf } from '../index';

import { scopeOf } from './context';
import type { ContextOptions } from './context';
import type { WritableSignal } from './peers';
import { writable } from './signals';

/**
 * A record as the model of a signal form: `form(formModel(person))`.
 *
 * Reads the record's data, so what a server answers reaches the form; writes only what differs, so that only the edited
 * field emits, and nothing once the injection context is destroyed. The record's `isDirty$` shows whether there is something
 * to save.
 *
 * @param options `injector`: needed outside an injection context.
 */
export function formModel<R extends DataModel>(
  record: R,
  options?: ContextOptions,
): WritableSignal<DataOf<R>> {
  const scope = scopeOf(formModel, options);
  return writable(
    record.data$,
    {
      next: (value: DataOf<R>) => {
        // What a form writes after its end was held back: it was meant for what was shown before.
        if (!scope.closed) (record as DataModel).set(value, { keepDirty: true, unset: true });
      },
    },
    scope,
  );
}
