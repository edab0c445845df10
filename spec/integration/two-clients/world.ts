import { startServer } from '../../../examples/server/server.ts';
import type { RunningServer } from '../../../examples/server/server.ts';
import { same } from '../../laws/same';

import { Client, rowOf } from './client';
import type { Path } from './client';
import type { Step } from './steps';

export type Who = 'here' | 'there';

/** Two clients of the same person, on a server of their own. */
export class World {
  readonly clients: Readonly<Record<Who, Client>>;
  readonly #server: RunningServer;
  readonly #ledger = { accepted: new Set<string>(), problems: [] as string[] };
  #typed = 0;

  constructor(server: RunningServer) {
    this.#server = server;
    this.clients = {
      here: new Client(server, this.#ledger),
      there: new Client(server, this.#ledger),
    };
  }

  /** Makes a user type a new text. */
  type(who: Who, path: Path): void {
    this.#typed += 1;
    this.clients[who].type(path, `${who} ${this.#typed}`);
  }

  /** Takes some steps; after each no update may be lost unseen. In the end the clients must agree. */
  async play(steps: readonly Step[]): Promise<void> {
    for (const client of Object.values(this.clients)) {
      client.read(false);
      await client.network.calm();
    }
    for (const step of steps) {
      await step.run(this);
      same(this.#ledger.problems, []);
    }
    await this.#agree();
    same(this.#ledger.problems, []);
  }

  /** In the end, both clients can save, and show what the server has. */
  async #agree(): Promise<void> {
    const clients = Object.values(this.clients);
    for (const { network } of clients) await network.calm();
    for (const client of clients) {
      client.save();
      await client.network.calm();
      // That save may have reported conflicts.
      client.insist();
      client.save();
      await client.network.calm();
      same(client.lastStatus, 200, 'the status of the last save');
    }
    for (const client of clients) {
      client.read(true);
      await client.network.calm();
      const { shown, person } = client;
      same(shown, rowOf(this.#server), 'what is shown');
      same([person.isDirty$.value, person.requestInProgress$.value], [false, false], 'dirty or busy');
    }
  }
}

/** Takes some steps on a new server. */
export async function play(steps: readonly Step[]): Promise<void> {
  const server = await startServer();
  try {
    await new World(server).play(steps);
  } finally {
    await server.close();
  }
}
