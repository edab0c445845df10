import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' }) => void;

/** Collects garbage: all of it, or with 'minor' only new objects. */
export function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/** Collects garbage until none of these objects is left, ten times at most; returns how many are left. */
export async function survivors(objects: readonly WeakRef<object>[]): Promise<number> {
  const collect = collector();
  const count = () => objects.filter((object) => object.deref()).length;
  for (let round = 0; round < 10 && count() > 0; round += 1) {
    await new Promise(setImmediate);
    collect();
  }
  return count();
}
