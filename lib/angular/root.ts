import type { Around, Lib, LibOptions, Transport } from '../index';

import { injectorOf } from './context';
import type { ContextOptions } from './context';
import {
  createLib,
  defer,
  finalize,
  inject,
  InjectionToken,
  Injector,
  makeEnvironmentProviders,
  PendingTasks,
} from './peers';
import type { EnvironmentProviders } from './peers';
import { httpTransport } from './transport';

/** Options that stand in for the defaults of `provideRivulet`; made by a function like `withFetch`. */
export type RivuletFeature = LibOptions;

const RIVULET: InjectionToken<Lib> = /* @__PURE__ */ new InjectionToken<Lib>('rivulet', {
  providedIn: 'root',
  factory: () => makeRoot({}),
});

/**
 * Gives an injector a root of its own: its records and collections send through Angular's `HttpClient`, and the
 * application counts as unstable until their requests have been written back, so that a server renders their data.
 *
 * Needed only for options, since without it each application has a root without any. On a server that is one per
 * request, so nothing of one user reaches another.
 *
 * @param options As in `lib.options`, or a function that gives them, called once, in the injection context. A
 *   `transport` replaces `HttpClient`; an `around` stands inside of Angular's pending task. That transport and the pending
 *   task stay when the options of the root are replaced later. Default: none.
 * @param features For example `withFetch()`, which may also be given alone. Where both say something, the options count.
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
 * Sends by the platform's `fetch` instead of Angular's `HttpClient`: without its interceptors, XSRF protection and
 * transfer cache.
 */
export function withFetch(): RivuletFeature {
  return { transport: platform };
}

/** Stands for what a root sends by without a transport: in place of undefined, which is no option, as everywhere. */
const platform = null as unknown as Transport;

/**
 * The root of this injector: makes records and collections, and has their options.
 *
 * @param options `injector`: needed outside of an injection context.
 */
export function injectRivulet(options?: ContextOptions): Lib {
  return injectorOf(injectRivulet, options).get(RIVULET);
}

/** What makes it Angular's is beneath its options, so that it lasts when those are changed or replaced. */
function makeRoot(options: LibOptions): Lib {
  const { transport = httpTransport(inject(Injector)) } = options;
  const pending = inject(PendingTasks);
  const around: Around = (request$) => defer(() => request$.pipe(finalize(pending.add())));
  return createLib(options, { transport, around });
}
