import { map, tap } from 'rxjs';
import type { Subscription } from 'rxjs';

import { createLib } from 'rivulet';
import { followChanges, serverEvents } from 'rivulet/live';
import type { Change, ServerEventsOptions } from 'rivulet/live';

interface Item {
  readonly id: number;
  readonly name: string;
}

/** Server-sent events in a page, and a list that follows them; read whenever the connection is open. */
export class Listener {
  /** The events by name, id and data. */
  readonly events: string[] = [];
  opened = 0;
  failure: string | undefined;
  readonly subscription: Subscription;
  readonly #list = createLib().collection<Item>({ url: '/people' });

  constructor(url: string, options: ServerEventsOptions = {}) {
    const onOpen = () => {
      this.opened += 1;
      this.#list.fetch().catch(() => undefined);
    };
    const changes$ = serverEvents(url, { ...options, onOpen }).pipe(
      tap(({ type, lastEventId, data }) => this.events.push([type, lastEventId, data].join(' '))),
      map(({ data }) => JSON.parse(data) as Change<Item>),
    );
    this.subscription = followChanges(this.#list, changes$).subscribe({
      error: (error: unknown) => {
        this.failure = String(error);
      },
    });
  }

  get names(): string[] {
    return this.#list.value.map(({ name }) => name);
  }
}
