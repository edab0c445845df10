import { InjectionToken, afterNextRender } from '@angular/core';

/**
 * The least time that a busy indicator is shown, in milliseconds, so that it does not flicker. It is 0 until the page is
 * alive: otherwise the server would put the indicator into a page that has its data, and the browser would show it.
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
