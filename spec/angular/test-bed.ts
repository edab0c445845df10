import { provideHttpClientTesting } from '@angular/common/http/testing';
import {
  EnvironmentInjector,
  Injector,
  createEnvironmentInjector,
  runInInjectionContext,
} from '@angular/core';
import type { EnvironmentProviders, Provider } from '@angular/core';
import { TestBed } from '@angular/core/testing';

import type { LibOptions } from 'rivulet';
import { provideRivulet } from 'rivulet/angular';

import { StubServer } from '../stub';

/** An application that sends through `HttpClient`; its requests wait for the testing controller to answer them. */
export function withHttp(...providers: readonly (Provider | EnvironmentProviders)[]): void {
  TestBed.configureTestingModule({ providers: [...providers, provideHttpClientTesting()] });
}

/** An application whose requests are held until the spec answers them, synchronously. */
export function withStub(options?: LibOptions): StubServer {
  const server = new StubServer();
  TestBed.configureTestingModule({
    providers: [provideRivulet({ transport: server.transport, ...options })],
  });
  return server;
}

/** An injection context that can be destroyed, like that of a component. */
export interface Context {
  readonly injector: Injector;
  readonly run: <T>(make: () => T) => T;
  readonly destroy: () => void;
}

/** Opens an injection context inside the application. */
export function openContext(...providers: readonly (Provider | EnvironmentProviders)[]): Context {
  const environment = createEnvironmentInjector([...providers], TestBed.inject(EnvironmentInjector));
  const injector = environment.get(Injector);
  return {
    injector,
    run: (make) => runInInjectionContext(injector, make),
    destroy: () => {
      environment.destroy();
    },
  };
}

/** The result of a function in the injection context of the application. */
export const inApp = <T>(make: () => T): T => TestBed.runInInjectionContext(make);
