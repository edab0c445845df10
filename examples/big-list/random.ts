/** Returns numbers from 0 up to, but not including, 1. */
export type Random = () => number;

/** Returns the same numbers for the same seed, so that what happened on the page can be reproduced. */
export function seeded(seed: number): Random {
  // A linear congruential generator, with the constants of Numerical Recipes: good enough to make up names.
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A random item. */
export function oneOf<T>(items: readonly [T, ...T[]], random: Random): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}
