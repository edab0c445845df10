import { fromEvent, filter, merge, takeUntil } from 'rxjs';

import { find } from './dom.ts';
import { groceryList } from './grocery-list.ts';
import { network } from './network.ts';
import { people } from './people.ts';

// A page that the browser keeps for its Back button comes back as it was, so it goes on listening.
const left$ = fromEvent<PageTransitionEvent>(window, 'pagehide').pipe(filter(({ persisted }) => !persisted));

// The network first: it stands between the server and all the others. This is the only `subscribe` there is.
merge(
  network(find(document, '#network', HTMLElement)),
  groceryList(find(document, '#groceries', HTMLElement)),
  people(find(document, '#people', HTMLElement), find(document, '#person', HTMLFormElement)),
)
  .pipe(takeUntil(left$))
  .subscribe();
