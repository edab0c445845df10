import type { ApplicationConfig } from '@angular/core';
import {
  provideClientHydration,
  withEventReplay,
  withHttpTransferCacheOptions,
} from '@angular/platform-browser';
import {
  TitleStrategy,
  provideRouter,
  withComponentInputBinding,
  withInMemoryScrolling,
  withRouterConfig,
} from '@angular/router';
import { provideRivulet } from 'rivulet/angular';
import { etags } from 'rivulet/etag';

import { routes } from './routes';
import { PageTitle } from './ui/page-title';

export const appConfig: ApplicationConfig = {
  providers: [
    provideRouter(
      routes,
      withComponentInputBinding(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
      // Whoever goes back, is asked, and stays, is still at the same place of the history.
      withRouterConfig({ canceledNavigationResolution: 'computed' }),
    ),
    { provide: TitleStrategy, useExisting: PageTitle },
    // The API says "no-cache". That is about later: what the page was made from a moment ago is not asked for again.
    provideClientHydration(
      withEventReplay(),
      withHttpTransferCacheOptions({
        includeNonCacheableRequests: true,
        includeHeaders: ['ETag', 'X-Total-Count'],
      }),
    ),
    // A write says which version it is meant for, so that nobody's change is overwritten unseen.
    provideRivulet(() => etags({ timeout: 60_000 })),
  ],
};
