import type { Routes } from '@angular/router';

import { GroceriesPage } from './groceries/groceries-page';
import { NotFound } from './not-found';
import { mayLeavePerson } from './people/may-leave';
import { NobodyChosen } from './people/nobody-chosen';
import { PeoplePage } from './people/people-page';
import { PersonPage } from './people/person-page';

export const routes: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'people' },
  {
    path: 'people',
    title: 'People · rivulet',
    component: PeoplePage,
    children: [
      { path: '', pathMatch: 'full', component: NobodyChosen },
      // One route for all people, including "new": going from one person to another keeps the page and its record.
      { path: ':id', component: PersonPage, canDeactivate: [mayLeavePerson] },
    ],
  },
  { path: 'groceries', title: 'Groceries · rivulet', component: GroceriesPage },
  { path: '**', title: 'Not found · rivulet', component: NotFound },
];
