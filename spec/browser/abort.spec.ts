import { describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import type { Exchange } from './fault-server';
import type { Operation } from './probe';
import { quietly, useBrowser } from './stage';

interface Request {
  readonly operation: Operation;
  readonly line: string;
  readonly flag: string;
}

const read: Request = { operation: 'read', line: 'GET /people/7', flag: 'isReading$' };
const update: Request = { operation: 'update', line: 'PUT /people/7', flag: 'isUpdating$' };
const create: Request = { operation: 'create', line: 'POST /people', flag: 'isCreating$' };
const remove: Request = { operation: 'delete', line: 'DELETE /people/7', flag: 'isDeleting$' };
const list: Request = { operation: 'list', line: 'GET /people', flag: 'isReading$' };

const phases = ['before the headers', 'in the body'] as const;

/** Each request in both phases. */
const inPhases = (...requests: Request[]) =>
  requests.flatMap((request) => phases.map((phase) => ({ ...request, phase })));

describe.skipIf(!chromiumPath)('ending a request in the browser', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  /** Waits for a request to arrive and, for the phase in the body, for the page to receive the start of its answer. */
  async function underWay(line: string, phase: (typeof phases)[number]): Promise<Exchange> {
    const held = await stage.server.arrived(line);
    if (phase === 'in the body') await stage.inBody(held, '{"id":7,"name":"Bo');
    return held;
  }

  // A delete waits only for the headers.
  it.each([...inPhases(read, update, create, list), { ...remove, phase: phases[0] }])(
    'closes the $operation when unsubscribed $phase, and leaves no trace',
    async ({ operation, line, flag, phase }) => {
      await stage.begin(operation);
      const held = await underWay(line, phase);
      expect((await stage.report()).busy).toContain(flag);

      await stage.unsubscribe();

      await held.gone;
      expect(await stage.report()).toMatchObject({ outcome: null, error: null, isWritten: false, busy: [] });
    },
  );

  it.each(inPhases(read, update))(
    "rejects the $operation with the signal's own reason when the caller's signal aborts it $phase",
    async ({ operation, line, phase }) => {
      const report = stage.probe.evaluate(
        (probe, of) => probe.run(of, { signal: probe.controller.signal }),
        operation,
      );
      const held = await underWay(line, phase);

      await stage.probe.evaluate((probe) => {
        probe.controller.abort(new RangeError('closed the dialog'));
      });

      await held.gone;
      expect(await report).toMatchObject({ outcome: 'RangeError', error: null, isWritten: false, busy: [] });
      expect(await stage.probe.evaluate((probe) => probe.failure === probe.controller.signal.reason)).toBe(
        true,
      );
    },
  );

  it.each(inPhases(read, update))(
    'rejects the $operation with a TimeoutError when it takes too long $phase',
    async ({ operation, line, phase }) => {
      const report = stage.run(operation, { timeout: 400 });
      const held = await stage.server.arrived(line);
      if (phase === 'in the body') held.begin('{"id":7,"name":"Bo');

      await held.gone;
      expect(await report).toMatchObject(quietly('TimeoutError'));
    },
  );

  it.each(inPhases(read, update))(
    'rejects the $operation with DISPOSED when its record is disposed of $phase',
    async ({ operation, line, phase }) => {
      const report = stage.run(operation);
      const held = await underWay(line, phase);

      await stage.probe.evaluate((probe) => {
        probe.dispose();
      });

      await held.gone;
      expect(await report).toMatchObject({ outcome: 'DISPOSED', isWritten: false, busy: [] });
    },
  );
});
