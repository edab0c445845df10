/** Gives numbers from 0 up to 1, not included. */
export type Random = () => number;

/** The same numbers whenever it begins with the same seed, so that what happened on the page can be done again. */
export function seeded(seed: number): Random {
  // A linear congruential generator, with the constants of Numerical Recipes: good enough to make names up.
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of several. */
export function oneOf<T>(items: readonly [T, ...T[]], random: Random): T {
  return items[Math.floor(random() * items.length)] ?? items[0];
}
