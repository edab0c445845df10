import { fromEvent, filter, merge, takeUntil } from 'rxjs';

import { find } from './dom.ts';
import { groceryList } from './grocery-list.ts';
import { network } from './network.ts';
import { people } from './people.ts';

// A page in the back/forward cache comes back as it was, so it stays subscribed.
const left$ = fromEvent<PageTransitionEvent>(window, 'pagehide').pipe(filter(({ persisted }) => !persisted));

// The network first: it stands between the server and all other parts. This is the only `subscribe`.
merge(
  network(find(document, '#network', HTMLElement)),
  groceryList(find(document, '#groceries', HTMLElement)),
  people(find(document, '#people', HTMLElement), find(document, '#person', HTMLFormElement)),
)
  .pipe(takeUntil(left$))
  .subscribe();
