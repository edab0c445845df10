import type { Goal, Line, Unit } from './scenario.ts';

/** The measurements of one system on one line: a figure for each round. */
export interface Series {
  readonly line: Line;
  readonly system: string;
  readonly values: readonly number[];
  /** How the system does less than the line says. */
  readonly note?: string;
}

/** The middle value, or the mean of the two in the middle. NaN without any. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = NaN, high = NaN] = [sorted[middle - 1 + (sorted.length % 2)], sorted[middle]];
  return (low + high) / 2;
}

/**
 * The multiple of the floor: the median of the ratios of each round, since the two figures of a round were measured
 * within seconds. NaN without a floor.
 */
export const ratio = ({ values }: Series, floor: Series | undefined): number =>
  median(floor ? values.flatMap((value, round) => value / (floor.values.at(round) ?? NaN)) : []);

/** Half the distance between the quartiles, as a share of the median: shows how reliable the figure is. */
export function spread(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted.at(Math.round(share * (sorted.length - 1))) ?? NaN;
  return (at(0.75) - at(0.25)) / 2 / median(values);
}

/** Whether a system reaches a goal; never if it does less than the line says. */
export function isMet(goal: Goal, series: Series, floor: Series | undefined): boolean {
  const { ratio: times = Infinity, most = Infinity } = goal;
  const isWithin = times === Infinity || ratio(series, floor) <= times;
  return isWithin && median(series.values) <= most && !series.note;
}

const steps: Readonly<Record<Unit, readonly (readonly [least: number, name: string])[]>> = {
  time: [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
    [1e-9, 'ns'],
  ],
  bytes: [
    [1024, 'KiB'],
    [1, 'B'],
  ],
  count: [[1, '']],
};

/** A figure with its unit, to three digits. */
export function textOf(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '–';
  const [least, name] = steps[unit].find(([from]) => value >= from) ?? steps[unit].at(-1) ?? [1, ''];
  return `${digits(value / least)} ${name}`.trim();
}

/** A number to three digits, without an exponent. */
export function digits(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(3);
}
