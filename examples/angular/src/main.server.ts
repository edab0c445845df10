import { mergeApplicationConfig } from '@angular/core';
import type { ApplicationRef } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import type { BootstrapContext } from '@angular/platform-browser';
import { RenderMode, provideServerRendering, withRoutes } from '@angular/ssr';

import { App } from './app/app';
import { appConfig } from './app/app.config';

const serverConfig = {
  providers: [provideServerRendering(withRoutes([{ path: '**', renderMode: RenderMode.Server }]))],
};

/** Makes the application for one request to the server; each has its own rivulet root. */
export default function bootstrap(context: BootstrapContext): Promise<ApplicationRef> {
  return bootstrapApplication(App, mergeApplicationConfig(appConfig, serverConfig), context);
}
