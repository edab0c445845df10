import { provideHttpClient, withInterceptors } from '@angular/common/http';
import { mergeApplicationConfig } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';

import { App } from './app/app';
import { appConfig } from './app/app.config';
import { networkInterceptor } from './app/network/network-interceptor';

// In the browser only: what the server asks for while it makes a page is none of the visitor's requests.
const browserConfig = { providers: [provideHttpClient(withInterceptors([networkInterceptor]))] };

await bootstrapApplication(App, mergeApplicationConfig(appConfig, browserConfig));
