import { DataModel, createLib } from 'rivulet';
import type { DataModelConfig } from 'rivulet';

import type { RunningServer } from '../../examples/server/server.ts';

/** A new person of the example server, in a root of its own, with all stored properties mapped. */
export function personAt(server: RunningServer, config: DataModelConfig = {}) {
  const root = createLib();
  class Person extends DataModel {
    readonly id = root.observable<number>().map('id', this);
    readonly name = root.observable('').map('name', this);
    readonly email = root.observable('').map('email', this);
    readonly phone = root.observable('').map('phone', this);
    readonly role = root.observable('').map('role', this);
    readonly company = root.observable('').map('company', this);
    readonly street = root.observable('').map('address.street', this);
    readonly city = root.observable('').map('address.city', this);
    readonly country = root.observable('').map('address.country', this);
    readonly born = root.observable<string | null>(null).map('born', this);
    readonly active = root.observable(true).map('active', this);
    readonly notes = root.observable('').map('notes', this);

    constructor() {
      super({ url: `${server.url}/api/people`, ...config }, root);
    }
  }
  return new Person();
}

/** A record made by {@link personAt}. */
export type PersonRecord = ReturnType<typeof personAt>;

/** The person with that id, read from the server; the read is removed from the server's log. */
export async function readPerson(
  server: RunningServer,
  id: number,
  config?: DataModelConfig,
): Promise<PersonRecord> {
  const person = personAt(server, config);
  person.set({ id });
  await person.fetch();
  server.requests.splice(0);
  return person;
}

/** A column of a person in the database; undefined if there is no such person. */
export function stored(server: RunningServer, id: number, column: string): unknown {
  return server.database.prepare(`SELECT "${column}" AS value FROM people WHERE id = ?`).get(id)?.value;
}

/** The number of people in the database. */
export function countPeople(server: RunningServer): unknown {
  return server.database.prepare('SELECT count(*) AS value FROM people').get()?.value;
}

/** The busy flags of a record, by name. */
export function flagsOf(person: PersonRecord): Record<string, boolean> {
  return {
    isCreating: person.isCreating$.value,
    isReading: person.isReading$.value,
    isUpdating: person.isUpdating$.value,
    isDeleting: person.isDeleting$.value,
    isSaving: person.isSaving$.value,
    requestInProgress: person.requestInProgress$.value,
  };
}

/** The busy flags of an idle record. */
export const atRest: Readonly<Record<string, boolean>> = {
  isCreating: false,
  isReading: false,
  isUpdating: false,
  isDeleting: false,
  isSaving: false,
  requestInProgress: false,
};
