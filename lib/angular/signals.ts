import type { StateStream } from '../index';

import { scopeOf } from './context';
import type { ContextOptions } from './context';
import { member } from './member';
import { computed, Field, signal, untracked } from './peers';
import type { BehaviorSubject, Signal, Subscription, WritableSignal } from './peers';

/** What a field holds; never for anything else, `any` included. */
type Held<F> = unknown extends F ? never : F extends Field<infer T> ? T : never;

/** What a state shows; never for anything else. */
type Shown<S> = S extends StateStream<infer T> ? T : never;

/** The fields of a record by their names, as writable signals. */
type NamedFields<R> = {
  readonly [K in keyof R as [Held<R[K]>] extends [never] ? never : K]: WritableSignal<Held<R[K]>>;
};

/** The fields of a record as writable signals, and its states as signals, without the `$`. */
export type RecordSignals<R> = NamedFields<R> & {
  readonly [
    K in keyof R as K extends `${infer Name}$`
      ? [Shown<R[K]>] extends [never]
        ? never
        : Exclude<Name, keyof NamedFields<R>>
      : never
  ]: Signal<Shown<R[K]>>;
};

/**
 * A field as a signal that can be written: for templates, `computed`, and two-way bindings like `[(ngModel)]="name"`.
 *
 * Writing it writes the field, and the signal follows the field, whoever writes that. It stops following when the injection
 * context is destroyed.
 *
 * @param field A field, or anything else that is a `BehaviorSubject`, like a collection.
 * @param options `injector`: needed outside an injection context.
 */
export function toWritableSignal<T>(field: BehaviorSubject<T>, options?: ContextOptions): WritableSignal<T> {
  return writable(field, field, scopeOf(toWritableSignal, options));
}

/**
 * A whole record as signals: each field by its name, writable; and each state without its `$`: `isDirty` for `isDirty$`,
 * `data`, `error` and so on. If a field has the name of a state, the field wins. Takes a collection too, for its states.
 *
 * Each signal is made when first accessed, which may be in a template, and stays the same after that. They stop following
 * when the injection context is destroyed.
 *
 * @param options `injector`: needed outside an injection context.
 */
export function toSignals<R extends object>(record: R, options?: ContextOptions): RecordSignals<R> {
  const scope = scopeOf(toSignals, options);
  const made = Object.create(null) as Record<string | symbol, unknown>;
  const make = (name: string | symbol): unknown => {
    const field = member(record, name);
    if (field instanceof Field) return writable(field, field, scope);
    const state = member(record, `${String(name)}$`);
    return 'value' in Object(state) ? mirror(state as StateStream<unknown>, scope).asReadonly() : undefined;
  };
  // A live record gets fields later, so a missing one is looked up again.
  return new Proxy(made, { get: (_, name) => (made[name] ??= make(name)) }) as RecordSignals<R>;
}

/** A signal that shows a state, and passes on what is written to it. */
export function writable<T>(
  state: StateStream<T>,
  target: { next(value: T): void },
  scope: Subscription,
): WritableSignal<T> {
  const shown = mirror(state, scope);
  const set = (value: T): void => {
    // The signal itself is written too, so that Angular objects where signals must not be written.
    shown.set(value);
    untracked(() => {
      target.next(value);
    });
    shown.set(state.value);
  };
  return Object.assign(computed(shown), {
    set,
    update: (change: (value: T) => T): void => {
      set(change(state.value));
    },
    asReadonly: () => shown.asReadonly(),
  }) as unknown as WritableSignal<T>;
}

/** A signal of a state. Shows the present value, not the one emitted: if several are emitted late, only the last is true. */
function mirror<T>(state: StateStream<T>, scope: Subscription): WritableSignal<T> {
  const shown = signal(state.value);
  // A template or `computed` that accesses it first must not seem to write it.
  untracked(() => {
    scope.add(
      state.subscribe(() => {
        shown.set(state.value);
      }),
    );
  });
  return shown;
}
