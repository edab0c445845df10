import Backbone from 'backbone';

import { nineFields } from '../data.ts';
import { sortedByHand, toldOf } from '../system.ts';
import type { List, Row, System, Told } from '../system.ts';

/** Models and collections as in the documentation, with `ajax` replaced by `fetch` since there is no jQuery. */
const backbone: System = {
  name: 'backbone',
  imports: `export { Collection, Events, Model, ajax, sync } from 'backbone';`,

  reader: (urlRoot, data) => {
    // Backbone documents this replacement where there is no jQuery; `success` receives the decoded answer.
    Backbone.ajax = ((options: { url: string; success: (answer: unknown) => void }) =>
      send(options)) as never;
    const model = new Backbone.Model(data);
    model.urlRoot = urlRoot;
    return {
      read: async () => {
        await model.fetch();
      },
      get: (name): unknown => model.get(name),
    };
  },

  watched: (data, names, notice) => {
    const model = new Backbone.Model(data);
    for (const name of names) model.on(`change:${name}`, () => notice(name));
    return { apply: (answer) => void model.set(answer), get: (name): unknown => model.get(name) };
  },

  // 'change' is emitted once per `set`, after the events of the attributes.
  derived: (data, _, compute) => {
    const model = new Backbone.Model(data);
    const get = (name: string): unknown => model.get(name);
    model.on('change', () => compute(get));
    return { apply: (answer) => void model.set(answer), get };
  },

  list: ({ tell }) => listOf(tell),

  records: (count) => Array.from({ length: count }, (_, id) => new Backbone.Model({ ...nineFields, id })),
};

export default backbone;

async function send(options: { url: string; success: (answer: unknown) => void }): Promise<void> {
  options.success(await (await fetch(options.url)).json());
}

function listOf(tell: ((told: Told) => void) | undefined): List {
  const rows = new Backbone.Collection();
  if (tell) {
    rows.on('update', (_: unknown, { changes }: { changes: { added: []; merged: []; removed: [] } }) => {
      // All rows already present count as merged; the events of the models report which of them changed.
      const { added, removed } = changes;
      if (added.length + removed.length > 0) tell(toldOf({ added, changed: [], removed }));
    });
    rows.on('change', () => tell({ added: 0, changed: 1, removed: 0 }));
  }
  const shown = () =>
    rows
      .filter((model) => model.get('active') as boolean)
      .sort((a, b) => ((a.get('name') as string) < (b.get('name') as string) ? -1 : 1))
      .slice(0, 50);
  return {
    // Does what `fetch({ reset: true })` does, documented for filling a list.
    fill: (text) => void rows.reset(JSON.parse(text) as Row[]),
    refetch: (fresh) => void rows.set(fresh as Row[]),
    byId: (id) => rows.get(id) as unknown,
    where: (city) => rows.where({ city }),
    update: (row) => void rows.get(row.id)?.set(row),
    insert: (row) => void rows.add(row),
    remove: (id) => void rows.remove(id as never),
    // Backbone keeps no view: it is rebuilt on each event, as by `listenTo(collection, 'add remove change', render)`.
    open: () => {
      let first = shown();
      const render = () => {
        first = shown();
      };
      rows.on('add remove change', render);
      return {
        rows: () => first,
        close: () => void rows.off('add remove change', render),
        note: sortedByHand,
      };
    },
    plain: (model: Backbone.Model | undefined) => model?.attributes,
  };
}
