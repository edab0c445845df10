import { RESPONSE_INIT, effect, inject } from '@angular/core';
import type { Signal } from '@angular/core';
import { RequestError } from 'rivulet';

/** On the server, answers with the status of the failed request that the page depends on, such as 404. */
export function answerWith(error: Signal<Error | null>): void {
  const answer = inject(RESPONSE_INIT, { optional: true });
  effect(() => {
    const reason = error();
    if (answer && reason instanceof RequestError && reason.response) answer.status = reason.response.status;
  });
}
