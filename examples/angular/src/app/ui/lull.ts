import { InjectionToken, afterNextRender } from '@angular/core';

/**
 * Least time of a busy sign in milliseconds, so that it does not flicker; none before the page has come alive, because
 * the server would put the sign into a page that has its data, and the browser show it over that.
 */
export const LULL = new InjectionToken<() => number>('lull', {
  factory: () => {
    let milliseconds = 0;
    afterNextRender(() => {
      milliseconds = 400;
    });
    return () => milliseconds;
  },
});
