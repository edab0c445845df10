/**
 * A copy of an interceptor's options that inherits nothing: what careless scripts add to `Object.prototype` is no option.
 *
 * @throws TypeError, naming the interceptor, if they are not an object.
 */
export function optionsOf<T extends object>(interceptor: string, options: T): T {
  check(options === Object(options), interceptor, 'options', 'an object');
  return { __proto__: null, ...options };
}

/** The methods of an option, in upper case, as those of requests are. */
export function methodsOf(interceptor: string, methods: readonly string[]): Set<string> {
  check(isListOf(methods, isText), interceptor, 'methods', 'a list of method names');
  return new Set(methods.map((method) => method.toUpperCase()));
}

/**
 * Checks an option when the interceptor is made, or what a callback returned when it was called.
 *
 * @throws TypeError that names the interceptor, the option and what to pass instead.
 */
export function check(fits: boolean, interceptor: string, option: string, wanted: string): void {
  if (!fits) throw new TypeError(`${interceptor}: "${option}" must be ${wanted}`);
}

/** Whether a value is a number from `least` to `most`, both included. */
export const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;

/** Whether a value is a list whose items all fit. */
export const isListOf = (value: unknown, fits: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits);

export const isText = (value: unknown): value is string => typeof value === 'string';
