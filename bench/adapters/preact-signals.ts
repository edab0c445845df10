import { batch, computed, effect, signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';

import { nineFields } from '../data.ts';
import { requestByHand } from '../system.ts';
import type { Data, System } from '../system.ts';

/** A signal for each field, written in one batch. Signals have no lists of their own. */
const preactSignals: System = {
  name: '@preact/signals-core',
  imports: `export { batch, computed, effect, signal } from '@preact/signals-core';`,

  reader: (url, data) => {
    const { apply, get } = signalsOf(data);
    return {
      read: async () => {
        apply((await (await fetch(url)).json()) as Data);
      },
      get,
      note: requestByHand,
    };
  },

  watched: (data, names, notice) => {
    const { fields, apply, get } = signalsOf(data);
    for (const name of names) fields[name]?.subscribe(() => notice(name));
    return { apply, get };
  },

  derived: (data, _, compute) => {
    const { fields, apply, get } = signalsOf(data);
    const value = computed(() => compute((name) => fields[name]?.value));
    effect(() => value.value);
    return { apply, get };
  },

  records: (count) => Array.from({ length: count }, (_, id) => signalsOf({ ...nineFields, id }).fields),
};

export default preactSignals;

function signalsOf(data: Data) {
  const fields: Record<string, Signal<unknown>> = {};
  for (const [name, value] of Object.entries(data)) fields[name] = signal(value);
  return {
    fields,
    apply: (answer: Data) =>
      batch(() => {
        for (const name in fields) fields[name].value = answer[name];
      }),
    get: (name: string) => fields[name]?.peek(),
  };
}
