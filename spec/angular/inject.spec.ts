import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { Lib } from 'rivulet';
import { injectCollection, injectRecord, injectRivulet } from 'rivulet/angular';

import { Person } from '../person';
import { watch } from '../watch';

import { inApp, openContext, withStub } from './test-bed';

class Dog extends DataModel {
  readonly id = lib.observable(3).map('id', this);
  readonly name = lib.observable('').map('name', this);
  constructor(root: Lib) {
    super({ url: '/dogs' }, root);
  }
}

/** A record that is booted in its own constructor function. */
function Cat(this: object, root: Lib): DataModel {
  return root.dataModel.boot(this, { url: '/cats' });
}

describe('injectRecord', () => {
  it.each<[string, () => DataModel, string]>([
    ['a class', () => injectRecord(Dog), 'GET /dogs/3'],
    ['an arrow function', () => injectRecord((root) => new Person(root, {}, { id: 9 })), 'GET /person/9'],
    [
      'a function',
      () =>
        injectRecord(function make(root) {
          return new Dog(root);
        }),
      'GET /dogs/3',
    ],
  ])('makes a record of %s, in the root of the injector', (_, make, line) => {
    const server = withStub();
    watch(inApp(make).fetch$());
    expect(server.lines).toStrictEqual([line]);
  });

  it('accepts a constructor function', () => {
    const server = withStub();
    const cat = inApp(() => injectRecord(Cat as unknown as new (root: Lib) => DataModel));
    watch(cat.save$());
    expect(server.lines).toStrictEqual(['POST /cats']);
  });

  it('disposes of the record when the injection context is destroyed', () => {
    const server = withStub();
    const { run, destroy } = openContext();
    const dog = run(() => injectRecord(Dog));
    const read = watch(dog.fetch$());

    destroy();

    expect(server.at(0).isClosed).toBe(true);
    expect(read.error).toMatchObject({ code: 'DISPOSED' });
  });

  it('aborts the requests of a component when that is destroyed', () => {
    const server = withStub();
    const Host = Component({ template: '' })(
      class {
        readonly reading = watch(injectRecord(Dog).fetch$());
      },
    );
    TestBed.createComponent(Host).destroy();
    expect(server.at(0).isClosed).toBe(true);
  });

  it('passes on what the constructor throws', () => {
    withStub();
    const failing = (): DataModel => {
      throw new Error('no dog');
    };
    expect(() => inApp(() => injectRecord(failing))).toThrow('no dog');
  });
});

describe('injectCollection', () => {
  it('makes a collection as configured, in the root of the injector', () => {
    const server = withStub();
    const dogs = inApp(() => injectCollection<{ id: number }>({ url: '/dogs', data: [{ id: 1 }] }));
    watch(dogs.fetch$());
    server.at(0).ok([{ id: 1 }, { id: 2 }]);
    expect(server.lines).toStrictEqual(['GET /dogs']);
    expect(dogs.length).toBe(2);
    expect(inApp(injectRivulet).options.transport).toBe(server.transport);
  });

  it('disposes of it when the injection context is destroyed', () => {
    const server = withStub();
    const { run, destroy } = openContext();
    const read = watch(run(() => injectCollection({ url: '/dogs' })).fetch$());
    destroy();
    expect(server.at(0).isClosed).toBe(true);
    expect(read.error).toMatchObject({ code: 'DISPOSED' });
  });
});
