import { DataModel, createLib } from 'rivulet';
import type { DataModelConfig, Lib, LibOptions, MappedField } from 'rivulet';

import { StubServer } from './stub';

/** The initial values of a person, where they are not 7, Ann in Bonn. */
export interface Values {
  readonly id?: unknown;
  readonly name?: string;
  readonly city?: string;
}

/** The record of most specs: `{ id: 7, name: 'Ann', address: { city: 'Bonn' } }` at `/person`. */
export class Person extends DataModel {
  readonly id: MappedField<unknown, 'id'>;
  readonly name: MappedField<string, 'name'>;
  readonly city: MappedField<string, 'address.city'>;

  constructor(root: Lib, config: DataModelConfig, values: Values) {
    super({ url: '/person', ...config }, root);
    const { id, name, city } = { id: 7, name: 'Ann', city: 'Bonn', ...values };
    this.id = root.observable<unknown>(id).map('id', this);
    this.name = root.observable(name).map('name', this);
    this.city = root.observable(city).map('address.city', this);
  }
}

/** How the person of a test differs from the usual one. */
export interface PersonSetup {
  readonly options?: LibOptions;
  readonly config?: DataModelConfig;
  readonly values?: Values;
}

/** A person in a root of its own, whose requests are held until the spec answers them. */
export function withPerson({ options, config = {}, values = {} }: PersonSetup = {}): {
  root: Lib;
  person: Person;
  server: StubServer;
} {
  const server = new StubServer();
  const root = createLib({ transport: server.transport, ...options });
  return { root, person: new Person(root, config, values), server };
}
