import { provideHttpClient, withInterceptors } from '@angular/common/http';
import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';

import { App } from './app/app';
import { appConfig } from './app/app.config';
import { networkInterceptor } from './app/network/network-interceptor';

// In the browser only: requests that the server makes while it renders a page are not the visitor's.
const browserConfig = { providers: [provideHttpClient(withInterceptors([networkInterceptor]))] };

await bootstrapApplication(App, mergeApplicationConfig(appConfig, browserConfig));
