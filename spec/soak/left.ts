import type { Observable } from 'rxjs';

/** Lets everything that is due run. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Collects garbage, thoroughly. */
async function collect(): Promise<void> {
  if (!globalThis.gc) throw new Error('run it with --expose-gc');
  for (let round = 0; round < 5; round += 1) {
    await turn();
    globalThis.gc();
  }
}

/** Megabytes in use once all garbage is collected. */
export async function heap(): Promise<number> {
  await collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** How many of these objects are still referenced. */
export async function alive(objects: readonly WeakRef<object>[]): Promise<number> {
  await collect();
  return objects.filter((object) => object.deref()).length;
}

/** What keeps the process running, sorted: timers, sockets, servers. */
export const resources = (): string[] => process.getActiveResourcesInfo().sort();

/** How many timers are running. */
export const timers = (): number => resources().filter((name) => name === 'Timeout').length;

/** How many of these streams have subscribers; the states of a record all derive from one subject. */
export const observed = (streams: readonly Observable<unknown>[]): number =>
  streams.filter((stream) => sourceOf(stream).observed).length;

function sourceOf(stream: Observable<unknown>): Observable<unknown> & { readonly observed?: boolean } {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- no other property holds the source of a stream
  const { source } = stream;
  return source ? sourceOf(source) : stream;
}
