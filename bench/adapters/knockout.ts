import ko from 'knockout';

import { firstFifty, nineFields } from '../data.ts';
import { requestByHand, sortedByHand } from '../system.ts';
import type { Data, Row, System } from '../system.ts';

/** Observables written one by one; rows are plain objects in an observable array. */
const knockout: System = {
  name: 'knockout',
  imports: `import ko from 'knockout'; export default ko;`,

  reader: (url, data) => {
    const { apply, get } = observablesOf(data);
    return {
      read: async () => {
        apply((await (await fetch(url)).json()) as Data);
      },
      get,
      note: requestByHand,
    };
  },

  watched: (data, names, notice) => {
    const { fields, apply, get } = observablesOf(data);
    for (const name of names) fields[name]?.subscribe(() => notice(name));
    return { apply, get };
  },

  derived: (data, _, compute) => {
    const { apply, get } = observablesOf(data);
    ko.computed(() => compute(get));
    return { apply, get };
  },

  // Rows are found by a loop: Knockout knows nothing of ids.
  list: () => {
    const rows = ko.observableArray<Row>();
    const byId = (id: number) => rows().find((row) => row.id === id);
    const replace = (old: Row | undefined, row: Row) => {
      if (old) rows.replace(old, row);
    };
    return {
      fill: (text) => void rows(JSON.parse(text) as Row[]),
      byId,
      where: (city) => ko.utils.arrayFilter(rows(), (row) => row.city === city),
      update: (row) => replace(byId(row.id), row),
      insert: (row) => void rows.push(row),
      remove: (id) => void rows.remove((row) => row.id === id),
      open: () => {
        const view = ko.computed(() => firstFifty(rows()));
        return { rows: () => view(), close: () => view.dispose(), note: sortedByHand };
      },
    };
  },

  records: (count) => Array.from({ length: count }, (_, id) => observablesOf({ ...nineFields, id }).fields),
};

export default knockout;

function observablesOf(data: Data) {
  const fields: Record<string, ko.Observable<unknown>> = {};
  for (const [name, value] of Object.entries(data)) fields[name] = ko.observable(value);
  return {
    fields,
    apply: (answer: Data) => {
      for (const name in fields) fields[name]?.(answer[name]);
    },
    get: (name: string) => fields[name]?.(),
  };
}
