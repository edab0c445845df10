import { RequestError, createLib } from 'rivulet';
import { merge, skip } from 'rxjs';

import { countingClock, countingSignal, isAlike, settled } from './probes.ts';
import type { CountingClock, CountingSignal, Settled } from './probes.ts';
import { startFaultServer } from './server.ts';
import type { FaultServer } from './server.ts';
import { sentBy } from './statuses.ts';
import { subjectOf } from './subject.ts';
import type { Subject } from './subject.ts';
import type { Cell } from './table.ts';

/** The time limit in milliseconds of a request that nothing else ends. */
const timeout = 400;

/** Milliseconds after which something counts as never coming; many, to allow for a busy machine. */
const never = 30_000;

/** These spoil their connection for the next request on it, so each gets a server of its own. */
const spoiling = ['keepalive-kill', 'double-response', 'extra-body-bytes'];

/** Faults whose bodies do not end. */
const endless = ['hang-body', 'infinite', 'error-hang-body'];

const turn = (): Promise<void> => new Promise(setImmediate);

/** The properties that every object inherits. */
const inherited = Reflect.ownKeys(Object.prototype);

/** A cell under way. */
interface Trial {
  readonly cell: Cell;
  readonly server: FaultServer;
  readonly subject: Subject;
  readonly clock: CountingClock;
  readonly signal: CountingSignal;
  /** The url of the next request; may be changed. */
  url: string;
  /** Notes a problem unless all is well. */
  readonly check: (problem: string, isFine: boolean) => void;
}

/** Runs one cell on a root of its own. Returns its problems: none, if it survived. */
export async function survive(cell: Cell, shared: FaultServer): Promise<string[]> {
  const server = spoiling.includes(cell.fault) ? await startFaultServer() : shared;
  const problems: string[] = [];
  const clock = countingClock();
  const url = await urlOf(cell, server);
  const root = createLib({ scheduler: clock, timeout: never });
  const trial: Trial = {
    cell,
    server,
    subject: subjectOf(cell, root, () => trial.url),
    clock,
    signal: countingSignal(),
    url,
    check: (problem, isFine) => {
      if (!isFine) problems.push(problem);
    },
  };
  await run(trial);
  if (server !== shared) await server.close();
  return problems;
}

/** The url of a cell's fault; no other cell has the same query. */
async function urlOf({ fault, action }: Cell, server: FaultServer): Promise<string> {
  const path = `${fault}${fault.includes('?') ? '&' : '?'}cell=${fault.replace('?', '-')}-${action}`;
  if (fault === 'keepalive-kill') {
    await (await fetch(`${server.origin}/${fault}`)).text();
    // The platform reuses a connection from the next turn on.
    await turn();
  }
  if (fault !== 'refused') return `${server.origin}/${path}`;
  const dead = await startFaultServer();
  const { origin } = dead;
  await dead.close();
  return `${origin}/${path}`;
}

async function run(trial: Trial): Promise<void> {
  const { cell, check, subject } = trial;
  const isTimed = cell.outcome === 'TimeoutError';
  const start = performance.now();
  const sent = subject.send({ signal: trial.signal, timeout: isTimed ? timeout : undefined });
  check('is not busy while the request is under way', subject.flags.at(-1)?.value === true);
  const end = await settled(sent, never);
  const took = performance.now() - start;

  checkEnd(trial, end);
  checkState(trial, subject.expected.state);
  checkTraces(trial);
  if (isTimed) {
    // There is no upper bound but `never`: how much later depends on the machine.
    check(`failed after ${took} ms`, took >= timeout - 2);
    await checkAbort(trial);
  }
  await checkSilence(trial, end);
  if (cell.fault.startsWith('deep')) await checkUnsendable(trial);
  await checkNext(trial);
}

/** Checks that the server has seen the abort. */
async function checkAbort({ check, server, url }: Trial): Promise<void> {
  const { search } = new URL(url);
  const isAborted = ({ log }: FaultServer) => log.some((each) => each.url.endsWith(search) && each.isAborted);
  check('the server has not seen the abort', Boolean(await settled(server.until(isAborted), never)));
}

/** Checks the outcome of the request, and `error$`. */
function checkEnd({ cell, check, subject }: Trial, end: Settled<Response>): void {
  const isOk = ['written', 'empty', 'gone'].includes(cell.outcome);
  const { error$ } = subject;
  if (!end) {
    check('never settled', false);
  } else if ('value' in end) {
    check(`resolved with ${end.value.status}`, end.value.ok ? isOk : cell.outcome === 'refused');
    check('took the body from the caller', !end.value.bodyUsed);
    const refusal = error$.value instanceof RequestError ? error$.value : undefined;
    const isTold = refusal?.code === 'HTTP' && refusal.response === end.value;
    check(`error$ is ${String(error$.value)}`, isOk ? error$.value === null : isTold);
  } else {
    check(`failed with ${String(end.error)}`, codeOf(end.error) === cell.outcome);
    check(`error$ is ${String(error$.value)}`, error$.value === end.error);
  }
}

/** Checks the whole state. */
function checkState({ check, subject }: Trial, expected: unknown): void {
  const state = subject.state();
  if (!isAlike(state, expected)) check(`holds ${brief(state)} and not ${brief(expected)}`, false);
}

/** The code of the library's error, or the name of any other. */
const codeOf = (error: unknown): string =>
  error instanceof RequestError ? error.code : (error as Error).name;

/** Checks that nothing of a request is left behind. */
function checkTraces({ check, subject, signal, clock }: Trial): void {
  check(
    'a flag is still up',
    subject.flags.every(({ value }) => !value),
  );
  check('a listener is left on the signal', signal.listeners.size === 0);
  check('a timer is left', clock.timers.size === 0);
  check('somebody listens to the values', !subject.isObserved);
  check('what objects inherit has changed', isAlike(Reflect.ownKeys(Object.prototype), inherited));
}

/** Checks that nothing more is emitted while the caller reads the rest of the answer. */
async function checkSilence({ cell, check, subject }: Trial, end: Settled<Response>): Promise<void> {
  let isTold = false;
  const all = [subject.written$, subject.error$, ...subject.flags].map((each) => each.pipe(skip(1)));
  const listening = merge(...all).subscribe(() => {
    isTold = true;
  });
  if (end && 'value' in end) {
    const { value: response } = end;
    // Cancelling one branch of a teed body resolves only when the other is cancelled too.
    if (endless.includes(cell.fault)) response.body?.cancel().catch(() => undefined);
    const text = endless.includes(cell.fault) ? undefined : await response.text().catch(() => undefined);
    const sent = sentBy(cell.fault);
    check('the caller cannot read the answer', sent === undefined || text === sent);
  }
  await turn();
  listening.unsubscribe();
  check('something was told afterwards', !isTold);
}

/** Checks that data too deep to be sent again makes a request fail like any other. */
async function checkUnsendable(trial: Trial): Promise<void> {
  const { cell, check, subject } = trial;
  if (cell.outcome !== 'written' || cell.action === 'list') return;
  const end = await settled(subject.sendAgain(), never);
  const isRefused = end && 'error' in end && codeOf(end.error) === 'SERIALIZE';
  check('what cannot be sent was sent', isRefused === true);
  checkState(trial, subject.expected.state);
  subject.shorten();
}

/** Checks that the next request is answered and written normally. */
async function checkNext(trial: Trial): Promise<void> {
  const { check, server, subject } = trial;
  trial.url = `${server.origin}/ok`;
  const end = await settled(subject.sendAgain(), never);
  check('the next request failed', Boolean(end && 'value' in end && end.value.ok));
  checkState(trial, subject.expected.stateAfter);
  check('the next request has left an error', subject.error$.value === null);
  checkTraces(trial);
}

/** A state, for a message; it may be too deep for JSON. */
function brief(state: unknown): string {
  try {
    return JSON.stringify(state).slice(0, 500);
  } catch {
    return 'what is too deep to be told';
  }
}
