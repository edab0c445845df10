import type { OutgoingHttpHeaders } from 'node:http';

import type { Hit, Route } from './route.ts';

/** The record of an ordinary answer. */
const bo = { id: 7, name: 'Bo', address: { city: 'Rome' } };

/** The items of an ordinary answer. */
const items = [
  { id: 1, name: 'Bo' },
  { id: 2, name: 'Cy' },
];

export const json = 'application/json';

/** JSON of the list, or of the record with that id: the one asked for, or else 7. */
export const ordinaryText = (isList: boolean, id: unknown = bo.id): string =>
  JSON.stringify(isList ? items : { ...bo, id });

/** JSON of what is requested: of the list, if it is a read without an id. */
export const ordinary = ({ arrival, id }: Hit): string =>
  ordinaryText(arrival.method === 'GET' && id === undefined, id && Number(id) ? Number(id) : id);

/** A route that answers with the text that `textOf` returns for a request. */
export const answer =
  (
    textOf: (hit: Hit) => string | Buffer,
    headers: OutgoingHttpHeaders = { 'content-type': json },
    code = 200,
  ): Route =>
  (hit) => {
    hit.response.writeHead(code, headers).end(textOf(hit));
  };
