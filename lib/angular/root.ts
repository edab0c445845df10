import type { Around, Lib, LibOptions } from '../index';

import { injectorOf } from './context';
import type { ContextOptions } from './context';
import {
  createLib,
  inject,
  InjectionToken,
  Injector,
  makeEnvironmentProviders,
  Observable,
  PendingTasks,
  untracked,
} from './peers';
import type { EnvironmentProviders } from './peers';
import { httpTransport } from './transport';

/** Options that replace the defaults of `provideRivulet`; made by a function like `withFetch`. */
export interface RivuletFeature extends LibOptions {
  /** @internal Whether a root without a `transport` sends with the platform's `fetch`. */
  readonly withFetch?: true;
}

const RIVULET: InjectionToken<Lib> = /* @__PURE__ */ new InjectionToken<Lib>('rivulet', {
  providedIn: 'root',
  factory: () => makeRoot({}),
});

/**
 * Provides an injector with a root of its own: its records and collections send through Angular's `HttpClient`, and the
 * application counts as unstable until their requests have been written back, so that a server renders their data.
 *
 * Needed only to set options: without it, each application has a root with none. On a server that is one per request, so
 * nothing of one user reaches another.
 *
 * @param options As in `lib.options`, or a function that returns them, called once, in the injection context. A `transport`
 *   replaces `HttpClient`; an `around` runs inside Angular's pending task. That transport and the pending task stay when the
 *   options of the root are replaced later. Default: none.
 * @param features For example `withFetch()`, which may also be passed alone. If both set an option,
 *   `options` wins.
 */
export function provideRivulet(
  options: LibOptions | (() => LibOptions) = {},
  ...features: readonly RivuletFeature[]
): EnvironmentProviders {
  const useFactory = () =>
    makeRoot(
      Object.assign({}, ...features, typeof options === 'function' ? options() : options) as LibOptions,
    );
  return makeEnvironmentProviders([{ provide: RIVULET, useFactory }]);
}

/**
 * Sends with the platform's `fetch` instead of Angular's `HttpClient`: without its interceptors, XSRF protection and
 * transfer cache. A `transport` in the options still takes its place.
 */
export function withFetch(): RivuletFeature {
  return { withFetch: true };
}

/**
 * Returns the root of this injector, which makes records and collections, and holds their options.
 *
 * @param options `injector`: needed outside an injection context.
 */
export function injectRivulet(options?: ContextOptions): Lib {
  return injectorOf(injectRivulet, options).get(RIVULET);
}

/**
 * Angular's part lies beneath the options of the root, so that it lasts when those are changed or replaced. As with
 * `HttpClient`, an effect that requests does not depend on what is read to make or repeat the request, such as a token.
 */
function makeRoot(options: RivuletFeature): Lib {
  const { transport = options.withFetch ? undefined : httpTransport(inject(Injector)) } = options;
  const pending = inject(PendingTasks);
  const around: Around = (request$) =>
    new Observable((subscriber) => {
      subscriber.add(pending.add());
      untracked(() => request$.subscribe(subscriber));
    });
  return createLib(options, { transport, around });
}
