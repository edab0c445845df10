/** One line of the table. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The upper limit; without one the figure is only reported. */
  readonly limit?: number;
}

/** Whether a figure exceeds its limit. */
export const isExceeded = ({ value, limit = Infinity }: Figure): boolean => !(value <= limit);

/** The figures as a plain table, one per line. */
export function tableOf(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length));
  return figures
    .map((figure) => {
      const { name, value, limit } = figure;
      const bound = limit === undefined ? '' : `  at most ${limit}${isExceeded(figure) ? '  EXCEEDED' : ''}`;
      return `${name.padEnd(width)}  ${text(value).padStart(10)}${bound}`;
    })
    .join('\n');
}

const text = (value: number): string => (Number.isInteger(value) ? `${value}` : value.toFixed(2));
