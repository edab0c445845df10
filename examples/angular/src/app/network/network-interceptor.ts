import { HttpResponse } from '@angular/common/http';
import type { HttpErrorResponse, HttpInterceptorFn } from '@angular/common/http';
import { inject } from '@angular/core';
import { defer, tap } from 'rxjs';

import { Network } from './network';

/** Adds the faults that the visitor chose, and records each request: rivulet sends all through Angular's HttpClient. */
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
          // An immediate answer is one that the server has put into the page.
          end(hasWaited ? `${event.status.toString()} in ${took()}` : 'came with the page', 'good');
        },
        error: (error: unknown) => {
          const { status } = error as HttpErrorResponse;
          // Angular treats 304 (not modified) as an error.
          end(`${status ? status.toString() : 'no answer'} in ${took()}`, status === 304 ? 'good' : 'bad');
        },
        // Unsubscribing has aborted the request.
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
