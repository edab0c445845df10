import type { RequestOptions } from 'rivulet';

/** Throws where only an expression is allowed. */
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

/** An object that throws on any access. */
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
 * Runs a function while every object inherits a property, as after a careless script. The property is removed
 * afterwards, so the function must be synchronous.
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
