import { answer, json, ordinaryText } from './answers.ts';
import type { Hit, Routes } from './route.ts';

/** The content type and text of a body, by its name. */
const bodies = {
  record: [json, ordinaryText(false)],
  html: ['text/html', '<!doctype html><title>Error</title><h1>Error</h1>'],
  problem: ['application/problem+json', JSON.stringify({ title: 'Error', id: 8, name: 'Error' })],
  blank: ['text/plain', ' \r\n '],
  empty: [undefined, ''],
} as const;

const bodyOf = (parameters: URLSearchParams) =>
  bodies[(parameters.get('as') ?? 'empty') as keyof typeof bodies];

/** The text that comes with a fault like `status?code=500&as=html`; undefined for any other. */
export const sentBy = (fault: string): string | undefined =>
  fault.startsWith('status?') ? bodyOf(new URLSearchParams(fault.replace('status', '')))[1] : undefined;

/** Answers with the status `code` and the body that `as` names. */
function status({ parameters, response }: Hit): void {
  const [type, text] = bodyOf(parameters);
  response.writeHead(Number(parameters.get('code') ?? 500), type ? { 'content-type': type } : {}).end(text);
}

const soon = { 'retry-after': '1' };
const later = { 'retry-after': 'Wed, 21 Oct 2065 07:28:00 GMT' };

/** All statuses, and answers with a Retry-After. */
export const statuses: Routes = {
  status,
  'retry-after': answer(() => '', soon, 503),
  'retry-after-date': answer(() => '', later, 429),
};
