import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Effort } from './scenario.ts';
import type { Order, Report } from './worker.ts';

const path = fileURLToPath(new URL('worker.ts', import.meta.url));

/** One system at one scenario, in a separate process: what one compiles, holds and discards must not affect another. */
export class Measured {
  readonly system: string;
  readonly #child: ChildProcess;
  /** The lines that the system supports, with a note where it does less. */
  notes: Readonly<Record<string, string>> = {};

  private constructor(system: string) {
    this.system = system;
    this.#child = fork(path, {
      execArgv: ['--expose-gc', '--max-old-space-size=6000', '--no-warnings'],
      // Some libraries check their input thoroughly unless in production.
      env: { ...process.env, NODE_ENV: 'production' },
    });
  }

  /** Starts the process, and waits until everything is prepared and checked. */
  static async prepare(scenario: string, system: string, effort: Effort): Promise<Measured> {
    const measured = new Measured(system);
    try {
      ({ notes: measured.notes = {} } = await measured.#ask({ scenario, system, effort }));
      return measured;
    } catch (error) {
      measured.end();
      throw error;
    }
  }

  /** Measures each line once. */
  async round(budget: number): Promise<Readonly<Record<string, number>>> {
    return (await this.#ask({ budget })).figures ?? {};
  }

  end(): void {
    this.#child.kill();
  }

  async #ask(order: Order): Promise<Report> {
    const abort = new AbortController();
    const [message, exit] = ['message', 'exit'].map((name) =>
      once(this.#child, name, { signal: abort.signal }).catch(() => []),
    );
    this.#child.send(order);
    const report = (await Promise.race([
      message?.then(([answer]: unknown[]) => answer),
      exit?.then(([code]: unknown[]) => ({ failure: `its process ended with ${String(code)}` })),
    ])) as Report;
    abort.abort();
    if (report.failure !== undefined) throw new Error(`${this.system}: ${report.failure}`);
    return report;
  }
}
