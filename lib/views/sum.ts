/**
 * A sum of numbers as parts that do not overlap, smallest first, so that nothing is rounded off: adding and subtracting a
 * million times leaves what was there. After J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic.
 */
export type Parts = readonly number[];

/** A sum with a number added, without rounding. */
export function add(parts: Parts, number: number): Parts {
  const grown: number[] = [];
  let rest = number;
  for (const part of parts) {
    const sum = rest + part;
    const added = sum - rest;
    const error = rest - (sum - added) + (part - added);
    if (error) grown.push(error);
    rest = sum;
  }
  return rest ? [...grown, rest] : grown;
}

/** The number nearest to a sum. */
export function total(parts: Parts): number {
  let sum = 0;
  let error = 0;
  for (const part of [...parts].reverse()) {
    if (error) {
      // Halfway between two numbers, the rest decides.
      const next = sum + 2 * error;
      return part > 0 === error > 0 && next - sum === 2 * error ? next : sum;
    }
    const next = sum + part;
    error = part - (next - sum);
    sum = next;
  }
  return sum;
}
