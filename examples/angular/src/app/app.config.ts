import type { ApplicationConfig } from '@angular/core';
import {
  provideClientHydration,
  withEventReplay,
  withHttpTransferCacheOptions,
} from '@angular/platform-browser';
import { provideRouter, withComponentInputBinding, withInMemoryScrolling } from '@angular/router';
import { provideRivulet } from 'rivulet/angular';

import { routes } from './routes';

export const appConfig: ApplicationConfig = {
  providers: [
    provideRouter(
      routes,
      withComponentInputBinding(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
    ),
    // The API says "no-cache". That is about later: what the page was made from a moment ago is not asked for again.
    provideClientHydration(
      withEventReplay(),
      withHttpTransferCacheOptions({ includeNonCacheableRequests: true, includeHeaders: ['X-Total-Count'] }),
    ),
    provideRivulet({ timeout: 60_000 }),
  ],
};
