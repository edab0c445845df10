/** Runs something while `Object.prototype` has more properties, as a careless script may leave it. */
export function polluted<T>(properties: Readonly<Record<string, unknown>>, run: () => T): T {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(prototype, name, { value, configurable: true });
  }
  try {
    return run();
  } finally {
    for (const name of Object.keys(properties)) Reflect.deleteProperty(prototype, name);
  }
}
