import type { RequestOptions } from 'rivulet';

/** Throws, where only an expression fits. */
export function raise(error: unknown): never {
  throw error;
}

/** An object that contains itself. */
export function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

/** Options that throw when they are read. */
export function throwing(): RequestOptions {
  return {
    get cache(): never {
      return raise(new Error('getter'));
    },
  };
}

/** An object that throws at any look into it. */
export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** An object inside an object, and so on, deeper than any stack. */
export function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level += 1) value = { value };
  return value;
}

/**
 * What a function returns while every object inherits a property, as after a careless script. The property is gone
 * afterwards, so the function has to be synchronous.
 */
export function polluted<T>(name: string, value: unknown, run: () => T): T {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  try {
    return run();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}
