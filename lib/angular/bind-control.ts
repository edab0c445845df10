import type { Field } from '../index';

import { scopeOf } from './context';
import type { ContextOptions } from './context';
import type { Observable } from './peers';

/** What `bindControl` needs of a `FormControl`. */
export interface Control<T> {
  /** The present value. */
  readonly value: T;
  /** Emits each value that is written, whoever writes it. */
  readonly valueChanges: Observable<T>;
  /** Writes a value. */
  readonly setValue: (value: T) => void;
  /** Only a `FormArray` or a group has some: it cannot be bound, since it takes a value for each of them, and no other. */
  readonly controls?: never;
}

/**
 * Keeps a control of a reactive form and a field in sync, whichever is written. The control starts with the field's value.
 *
 * What is written with `{ emitEvent: false }` is not noticed: a control does not announce it.
 *
 * A control that can be reset to null needs a field that can hold null, or `{ nonNullable: true }`.
 *
 * @param options `injector`: needed outside an injection context. The binding ends with that context.
 */
export function bindControl<T>(
  control: Control<NoInfer<T>>,
  field: Field<T>,
  options?: ContextOptions,
): void {
  const scope = scopeOf(bindControl, options);
  // Each writes to the other only a different value, so an echo ends there.
  scope.add(
    field.subscribe(() => {
      if (!Object.is(control.value, field.value)) control.setValue(field.value);
    }),
  );
  scope.add(
    control.valueChanges.subscribe(() => {
      if (!Object.is(control.value, field.value)) field.next(control.value);
    }),
  );
}
