import { assertInInjectionContext, DestroyRef, inject, Injector, Subscription } from './peers';

/** Options of whatever lives as long as the injection context in which it is made. */
export interface ContextOptions {
  /**
   * The injector to use, needed outside an injection context. Default: that of the present injection context; outside one,
   * Angular's NG0203 is thrown.
   */
  readonly injector?: Injector | undefined;
}

/**
 * The injector of the options, or of the present injection context.
 *
 * @throws Angular's NG0203, naming the caller, if there is neither.
 */
export function injectorOf(caller: (...args: never[]) => unknown, options?: ContextOptions): Injector {
  if (options?.injector) return options.injector;
  assertInInjectionContext(caller);
  return inject(Injector);
}

/** What is added to it ends with the injection context of the caller; at once if that is already destroyed. */
export function scopeOf(caller: (...args: never[]) => unknown, options?: ContextOptions): Subscription {
  const scope = new Subscription();
  const injector = injectorOf(caller, options);
  injector.get(DestroyRef).onDestroy(() => {
    scope.unsubscribe();
  });
  return scope;
}
