import { HttpResponse } from '@angular/common/http';
import type { HttpErrorResponse, HttpInterceptorFn } from '@angular/common/http';
import { inject } from '@angular/core';
import { defer, tap } from 'rxjs';

import { Network } from './network';

/** Adds the trouble that the visitor asks for, and notes each request: rivulet sends them through Angular's HttpClient. */
export const networkInterceptor: HttpInterceptorFn = (request, next) => {
  const network = inject(Network);
  return defer(() => {
    const end = network.begin(request.method, decodeURIComponent(request.urlWithParams));
    const start = performance.now();
    const took = () => `${Math.round(performance.now() - start).toString()} ms`;
    let hasWaited = false;
    return next(request.clone({ setParams: network.switches() })).pipe(
      tap({
        next: (event) => {
          if (!(event instanceof HttpResponse)) return;
          // An answer that is there at once is one that the server has put into the page.
          end(hasWaited ? `${event.status.toString()} in ${took()}` : 'came with the page', 'good');
        },
        error: (error: unknown) => {
          const { status } = error as HttpErrorResponse;
          // Angular takes 304, nothing new, for an error.
          end(`${status ? status.toString() : 'no answer'} in ${took()}`, status === 304 ? 'good' : 'bad');
        },
        // Nobody waits for it any more, so it has been aborted.
        unsubscribe: () => {
          end(`cancelled after ${took()}`, 'given-up');
        },
        subscribe: () => {
          queueMicrotask(() => {
            hasWaited = true;
          });
        },
      }),
    );
  });
};
