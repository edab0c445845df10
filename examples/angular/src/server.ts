import { AngularAppEngine, createRequestHandler } from '@angular/ssr';

const engine = new AngularAppEngine();

/** Renders the page for a request; null if there is none. */
export const reqHandler = createRequestHandler((request) => engine.handle(request));
