import { parseArgs } from 'node:util';
import { longestDelay } from './faults.ts';

/** The program's settings, from its arguments. */
export interface Settings {
  readonly port: number;
  readonly database: string;
  /** Milliseconds. */
  readonly delay: number;
}

/** How to call the program, printed below an error. */
export const usage =
  'Usage: node examples/server/main.ts [--port 3000] [--database rivulet.sqlite] [--delay 0]';

/** Reads the arguments of the program. Throws an Error whose message can be printed as it is. */
export function readSettings(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '3000' },
      database: { type: 'string', default: 'rivulet.sqlite' },
      delay: { type: 'string', default: '0' },
    },
  });
  return {
    port: wholeNumber('--port', values.port, 65_535),
    database: values.database,
    delay: wholeNumber('--delay', values.delay, longestDelay),
  };
}

function wholeNumber(option: string, text: string, largest: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value <= largest) return value;
  throw new Error(`${option} must be a whole number from 0 to ${String(largest)}, and "${text}" is not.`);
}
