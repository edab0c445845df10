import { Model, apiClient } from 'mobx-rest';

import type { Racer } from '../race.ts';

/** A model as in the documentation, with an adapter for `fetch`; `keepChanges` is the option for what is typed during a save. */
const mobxRest: Racer = {
  name: 'mobx-rest',
  note: 'saves with `keepChanges`, which is off by default',
  open: (url, data) => {
    apiClient(adapter);
    class Person extends Model {
      override urlRoot = () => url;
    }
    const person = new Person(data);
    return {
      edit: (name) => person.set({ name }),
      save: async () => {
        await person.save(undefined, { keepChanges: true }).promise.catch(() => undefined);
      },
      name: () => person.get('name') as unknown,
      isDirty: () => person.hasChanges(),
    };
  },
};

export default mobxRest;

const by = (method: string) => (url: string, data?: object) => {
  const abort = new AbortController();
  return { abort: () => abort.abort(), promise: send(method, url, data, abort.signal) };
};

const adapter = { get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), del: by('DELETE') };

async function send(
  method: string,
  url: string,
  data: object | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, body: JSON.stringify(data), headers, signal });
  const answer: unknown = await response.json();
  // An adapter rejects with the body of the answer.
  if (!response.ok) throw answer;
  return answer;
}
