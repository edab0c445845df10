import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import {
  bindControl,
  formModel,
  injectCollection,
  injectRecord,
  injectRivulet,
  linkId,
  toSignals,
  toWritableSignal,
} from 'rivulet/angular';
import type { ContextOptions } from 'rivulet/angular';

import { Person } from '../person';

import { openContext, withStub } from './test-bed';

const person = new Person(createLib(), {}, {});
const control = { value: '', valueChanges: person.name.asObservable(), setValue: () => undefined };

const callers: [string, (options?: ContextOptions) => unknown][] = [
  ['injectRivulet', injectRivulet],
  ['injectRecord', (options) => injectRecord((root) => new Person(root, {}, {}), options)],
  ['injectCollection', (options) => injectCollection({}, options)],
  ['toWritableSignal', (options) => toWritableSignal(person.name, options)],
  ['toSignals', (options) => toSignals(person, options)],
  ['linkId', (options) => linkId(person, () => 7, options)],
  ['formModel', (options) => formModel(person, options)],
  [
    'bindControl',
    (options) => {
      bindControl(control, person.name, options);
    },
  ],
];

describe.each(callers)('%s', (name, call) => {
  it("fails outside an injection context with Angular's own error", () => {
    expect(() => call()).toThrow(new RegExp(`NG0203: ${name}\\(\\)`));
    expect(() => call({})).toThrow(/NG0203/);
  });

  it('works in an injection context, and anywhere with an injector', () => {
    withStub();
    const { run, injector } = openContext();
    expect(() => run(() => call())).not.toThrow();
    expect(() => call({ injector })).not.toThrow();
  });
});
