import { DataModel, lib } from 'rivulet';

/** The endpoint of the people. */
export const peopleUrl = '/api/people';

/** One person as a record. The paths are those of the server's JSON, in requests and answers. */
export class Person extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly email = lib.observable('').map('email', this);
  readonly phone = lib.observable('').map('phone', this);
  readonly born = lib.observable<string | null>(null).map('born', this);
  readonly role = lib.observable('').map('role', this);
  readonly company = lib.observable('').map('company', this);
  readonly street = lib.observable('').map('address.street', this);
  readonly city = lib.observable('').map('address.city', this);
  readonly country = lib.observable('').map('address.country', this);
  readonly active = lib.observable(true).map('active', this);
  readonly notes = lib.observable('').map('notes', this);

  /** @param id The id of a person on the server, to be read with `fetch`; none for a new one. */
  constructor(id?: number) {
    super({ url: peopleUrl, requestLull: 400 });
    this.id.next(id);
    this.clean();
  }

  /** What a list shows of this person, as last confirmed by the server. */
  get summary(): PersonSummary {
    const { id, name, city } = this;
    return { id: id.value, name: name.remote$.value, address: { city: city.remote$.value } };
  }
}

/** The part of a person that a list shows. */
export interface PersonSummary {
  readonly id?: number | undefined;
  readonly name: string;
  readonly address: { readonly city: string };
}
