import { DestroyRef, Injector, assertInInjectionContext, inject } from '@angular/core';
import { Subscription } from 'rxjs';

/** Options of whatever lives as long as the place where it is made. */
export interface ContextOptions {
  /** Where it belongs, if it is not made in an injection context. Default: the present injection context. */
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

/** What is added to it ends with the injector; at once if that has been destroyed. */
export function scopeOf(injector: Injector): Subscription {
  const scope = new Subscription();
  injector.get(DestroyRef).onDestroy(() => {
    scope.unsubscribe();
  });
  return scope;
}
