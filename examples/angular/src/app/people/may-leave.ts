import type { CanDeactivateFn } from '@angular/router';

import type { PersonPage } from './person-page';

/** Whether the person may be left: nothing that was typed gets lost without a question. */
export const mayLeavePerson: CanDeactivateFn<PersonPage> = (page, _route, _state, next) =>
  page.mayLeave(next.url);
