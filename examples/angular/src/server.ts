import { AngularAppEngine, createRequestHandler } from '@angular/ssr';

const engine = new AngularAppEngine();

/** The page for a request, rendered; null for what is no page. */
export const reqHandler = createRequestHandler((request) => engine.handle(request));
