import { answer, json, ordinary } from './answers.ts';
import type { Hit, Route, Routes } from './route.ts';

const ok: Route = answer(ordinary);

/** Answers with the request as received. */
function echo({ arrival, response }: Hit): void {
  const { method, url, headers, body } = arrival;
  response.writeHead(200, { 'content-type': json }).end(JSON.stringify({ method, url, headers, body }));
}

/** Refuses the first request to a url. */
function flaky(hit: Hit): void {
  if (hit.isFirst) hit.response.writeHead(503).end();
  else ok(hit);
}

/** The routes that answer without a fault. */
export const plain: Routes = { ok, echo, flaky };
