import { inject } from '@angular/core';
import { DataModel, lib } from 'rivulet';
import type { Lib, RequestOptions } from 'rivulet';
import { mergeConflicts } from 'rivulet/etag';
import type { Observable } from 'rxjs';

import { LULL } from '../ui/lull';

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

  constructor(root: Lib) {
    super({ url: '/api/people', requestLull: inject(LULL) }, root);
  }

  /**
   * Saves, and continues if somebody else has saved in the meantime: edits made here are saved on top of that, unless both
   * have changed the same field. Then `openConflicts$` has the field, and this emits the refused answer.
   */
  override save$(options?: RequestOptions | Event): Observable<Response> {
    // This server uses 409 for an e-mail that is taken, so sending it again is no use.
    return super.save$(options).pipe(mergeConflicts(this, { statuses: [412] }));
  }

  /** What the list shows of this person, as last confirmed by the server. */
  get summary(): PersonSummary {
    const { id, name, role, city, active } = this;
    return {
      id: id.value ?? 0,
      name: name.remote$.value,
      role: role.remote$.value,
      active: active.remote$.value,
      address: { city: city.remote$.value },
    };
  }
}

/** The part of a person that a list shows. */
export interface PersonSummary {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
  readonly address: { readonly city: string };
}
