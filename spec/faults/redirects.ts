import type { Hit, Route, Routes } from './route.ts';

const to =
  (location: (hit: Hit) => string | undefined): Route =>
  (hit) => {
    const target = location(hit);
    const code = Number(hit.parameters.get('code') ?? 302);
    hit.response.writeHead(code, target ? { location: target } : {}).end();
  };

const good = ({ arrival, id }: Hit) =>
  arrival.method === 'GET' && id === undefined ? '/ok' : `/ok/${id ?? 7}`;

/** Answers with the status `code` that redirect elsewhere, or nowhere. */
export const redirects: Routes = {
  redirect: to(good),
  'redirect-loop': to(({ arrival }) => arrival.url),
  'redirect-scheme': to(() => 'file:///etc/hosts'),
  'redirect-data': to(() => 'data:application/json,{}'),
  'redirect-no-host': to(() => 'http://'),
  'redirect-no-location': to(() => undefined),
};
