import type { CanDeactivateFn } from '@angular/router';

import type { PersonPage } from './person-page';

/** Whether the user may leave the person: nothing typed is lost without asking. */
export const mayLeavePerson: CanDeactivateFn<PersonPage> = (page, _route, _state, next) =>
  page.mayLeave(next.url);
