import Backbone from 'backbone';

import type { Racer } from '../race.ts';

interface Options {
  readonly type: string;
  readonly url: string;
  readonly data: string;
  readonly success: (answer: unknown) => void;
  readonly error: (response: unknown) => void;
}

/** A model as in the documentation, with `ajax` replaced by `fetch` since there is no jQuery. */
const backbone: Racer = {
  name: 'backbone',
  open: (url, data) => {
    Backbone.ajax = send as never;
    const model = new Backbone.Model(data);
    model.urlRoot = url;
    return {
      edit: (name) => model.set({ name }),
      save: async () => {
        await model.save();
      },
      name: () => model.get('name'),
    };
  },
};

export default backbone;

async function send({ type, url, data, success, error }: Options): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: type, body: data, headers });
  if (response.ok) success(await response.json());
  else error(response);
}
