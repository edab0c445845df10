import { RESPONSE_INIT, effect, inject } from '@angular/core';
import type { Signal } from '@angular/core';
import { RequestError } from 'rivulet';

/** On the server, answers the page with the status of the request that it could not be made without: 404 for example. */
export function answerWith(error: Signal<Error | null>): void {
  const answer = inject(RESPONSE_INIT, { optional: true });
  effect(() => {
    const reason = error();
    if (answer && reason instanceof RequestError && reason.response) answer.status = reason.response.status;
  });
}
