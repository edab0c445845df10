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

import { freshAfterWrites } from './network/fresh-after-writes';
import { routes } from './routes';
import { PageTitle } from './ui/page-title';

export const appConfig: ApplicationConfig = {
  providers: [
    provideRouter(
      routes,
      withComponentInputBinding(),
      withInMemoryScrolling({ scrollPositionRestoration: 'enabled' }),
      // A user who goes back, is asked, and stays keeps the same place in the history.
      withRouterConfig({ canceledNavigationResolution: 'computed' }),
    ),
    { provide: TitleStrategy, useExisting: PageTitle },
    // The API says "no-cache", but that concerns later: what was just rendered on the server is not requested again.
    provideClientHydration(
      withEventReplay(),
      withHttpTransferCacheOptions({
        includeNonCacheableRequests: true,
        includeHeaders: ['ETag', 'X-Total-Count'],
      }),
    ),
    // Each write names the version it is meant for, so that nobody's change is overwritten unseen.
    provideRivulet(() => etags({ timeout: 60_000, interceptors: [freshAfterWrites()] })),
  ],
};
