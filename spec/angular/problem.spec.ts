import { describe, expect, it } from 'vitest';

import { faultsIn } from '../../lib/angular/problem';

const city = { path: ['address', 'city'], message: 'is unknown' };

describe('the faults in an answer', () => {
  it.each<[string, unknown]>([
    ['lists by dotted path', { errors: { 'address.city': ['is unknown'] } }],
    ['strings by dotted path', { errors: { 'address.city': 'is unknown' } }],
    ['objects by dotted path', { errors: { 'address.city': [{ message: 'is unknown' }] } }],
    ['objects with a JSON pointer', { errors: [{ pointer: '/address/city', detail: 'is unknown' }] }],
    [
      'objects with a pointer in a fragment',
      { errors: [{ pointer: '#/address/city', detail: 'is unknown' }] },
    ],
    ['objects with a name', { errors: [{ name: 'address.city', message: 'is unknown' }] }],
    ['objects with a field', { errors: [{ field: 'address.city', message: 'is unknown' }] }],
    ['objects with a path', { errors: [{ path: 'address.city', title: 'is unknown' }] }],
    ['objects with a path as a list', { errors: [{ path: ['address', 'city'], message: 'is unknown' }] }],
    [
      'the parameters of RFC 7807',
      { title: 'Invalid', 'invalid-params': [{ name: 'address.city', reason: 'is unknown' }] },
    ],
    [
      'the parameters of RFC 7807 beside a count of errors',
      { errors: 1, 'invalid-params': [{ name: 'address.city', reason: 'is unknown' }] },
    ],
    ['a list alone', [{ field: 'address.city', message: 'is unknown' }]],
    [
      'objects with a pointer, and the path of the request',
      { errors: [{ path: '/people/7', pointer: '/address/city', detail: 'is unknown' }] },
    ],
    [
      'objects with a path, and the name of the kind of error',
      { errors: [{ name: 'ValidatorError', path: 'address.city', message: 'is unknown' }] },
    ],
    [
      'objects with a field, and the name of the kind of error',
      { errors: [{ name: 'ValidatorError', field: 'address.city', message: 'is unknown' }] },
    ],
    [
      'objects with a message, and a title of the kind of error',
      { errors: [{ title: 'Unknown', field: 'address.city', message: 'is unknown' }] },
    ],
  ])('are found as %s', (_, problem) => {
    expect(faultsIn(problem, 422)).toStrictEqual([city]);
  });

  it('are all found', () => {
    const errors = { name: ['is empty', 'is short'], 'address.city': ['is unknown'] };
    expect(faultsIn({ errors }, 422)).toStrictEqual([
      { path: ['name'], message: 'is empty' },
      { path: ['name'], message: 'is short' },
      city,
    ]);
  });

  it('have the indexes of a list in their path', () => {
    expect(faultsIn({ errors: { 'stops[0].at': 'is unknown' } }, 422)).toStrictEqual([
      { path: ['stops', '0', 'at'], message: 'is unknown' },
    ]);
  });

  it('are found by a pointer with escaped characters', () => {
    expect(faultsIn({ errors: [{ pointer: '/a~1b~1c/~01~0', detail: 'is unknown' }] }, 422)).toStrictEqual([
      { path: ['a/b/c', '~1~'], message: 'is unknown' },
    ]);
  });

  it.each([
    ['#/stra%C3%9Fe/a%20b', ['straße', 'a b']],
    ['#/why%3F', ['why?']],
    ['#/100%', ['100%']],
    ['/a%20b', ['a%20b']],
    ['/a#b%20c', ['a', 'b%20c']],
  ])('are found by a pointer that is percent-encoded if it is a fragment: %s', (pointer, path) => {
    expect(faultsIn({ errors: [{ pointer, detail: 'is unknown' }] }, 422)).toStrictEqual([
      { path, message: 'is unknown' },
    ]);
  });

  it.each<[string, unknown]>([
    ['a string', ['is unknown']],
    ['a fault without a path', [{ message: 'is unknown' }]],
    ['an empty path', { '': ['is unknown'] }],
  ])('concern the whole if there is %s', (_, errors) => {
    expect(faultsIn({ errors }, 422)).toStrictEqual([{ path: [], message: 'is unknown' }]);
  });

  it.each<[unknown, string]>([
    [{ detail: 'Two fields are wrong.', title: 'Invalid' }, 'Two fields are wrong.'],
    [{ message: 'Two fields are wrong.' }, 'Two fields are wrong.'],
    [{ title: 'Invalid', errors: {} }, 'Invalid'],
    [{ title: 4, errors: null }, 'the server answered 422'],
    [{ detail: [{ loc: ['body', 'name'], msg: 'Field required' }] }, 'the server answered 422'],
    [{ detail: ['Two fields', 'are wrong.'] }, 'Two fields,are wrong.'],
    [{ errors: 'Invalid' }, 'the server answered 422'],
    ['Invalid', 'the server answered 422'],
    [[], 'the server answered 422'],
    [null, 'the server answered 422'],
    [{ title: 'Invalid', detail: { length: 'too short' } }, 'Invalid'],
    [{ title: 'Invalid', detail: ['too short', { toString: 1 }] }, 'Invalid'],
    [{ detail: { length: 1, toString: 1 } }, 'the server answered 422'],
    [undefined, 'the server answered 422'],
  ])('in %o with status 422 are one, for the whole', (problem, message) => {
    expect(faultsIn(problem, 422)).toStrictEqual([{ path: [], message }]);
  });

  it('are none with another status, unless the answer lists some', () => {
    expect(faultsIn({ detail: 'Try later.' }, 503)).toStrictEqual([]);
    expect(faultsIn({ errors: [{ status: '503', title: 'busy' }] }, 503)).toStrictEqual([]);
    expect(faultsIn({ detail: 'Not JSON.' }, 400)).toStrictEqual([]);
    expect(faultsIn({ errors: { 'address.city': 'is unknown' } }, 409)).toStrictEqual([city]);
  });

  it('have the message of the whole if they lack one', () => {
    expect(faultsIn({ detail: 'Invalid', errors: [{ name: 'city' }, null] }, 422)).toStrictEqual([
      { path: ['city'], message: 'Invalid' },
      { path: [], message: 'Invalid' },
    ]);
  });
});
