import { merge, takeUntil } from 'rxjs';

import { find, left$ } from './dom.ts';
import { groceryList } from './grocery-list.ts';
import { network } from './network.ts';
import { people } from './people.ts';

// The network first: it stands between the server and all other parts. This is the only `subscribe`.
merge(
  network(find(document, '#network', HTMLElement)),
  groceryList(find(document, '#groceries', HTMLElement)),
  people(find(document, '#people', HTMLElement), find(document, '#person', HTMLFormElement)),
)
  .pipe(takeUntil(left$))
  .subscribe();
