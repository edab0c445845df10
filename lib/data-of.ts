import type { StateStream } from './types';

/** What distinguishes a mapped field from other members: members that no stream has, so that streams are not examined. */
interface Mapped<T, P extends string> {
  readonly path: P;
  readonly remote$: StateStream<T>;
}

/** Members whose type derives from the record's data: looking for fields in them would be circular, and slow. */
type Derived = 'data$' | 'changes$' | 'get' | 'set' | 'toJSON' | 'clean' | 'reset' | 'follow';

/** Every mapped path of a record, for example `'name' | 'address.city'`. */
export type MappedPath<R> = {
  [K in Exclude<keyof R, Derived>]-?: Known<R[K]> extends Mapped<unknown, infer P> ? P : never;
}[Exclude<keyof R, Derived>];

/** A record's data as its `.map()` paths define it, nested where a path has dots. */
// Written out down to the objects, here and below: else editors, errors and declarations would name helper types.
export type DataOf<R> = [Leaves<R>] extends [never]
  ? object
  : Intersect<Leaves<R>> extends infer All
    ? { [K in keyof All]: All[K] extends Leaf<infer T> ? T : DataIn<All[K]> }
    : never;

/** What the fields below one key hold. */
type DataIn<Below> = Below extends infer All
  ? { [K in keyof All]: All[K] extends Leaf<infer T> ? T : DataIn<All[K]> }
  : never;

/** A member's type without undefined; unknown for `any` and `never`, which would pass for a field at every path. */
type Known<M> = unknown extends M
  ? unknown
  : [Exclude<M, undefined>] extends [never]
    ? unknown
    : Exclude<M, undefined>;

/**
 * Part of some data: every key optional, at every depth of nested objects; lists, dates and branded values stay whole. For your
 * own functions that change plain data; what `set` takes is `PartOf`.
 */
export type PatchOf<D> = D extends Whole
  ? D
  : D extends object
    ? { [K in keyof D]?: PatchOf<D[K]> | undefined }
    : D;

/** Part of a record's data: every mapped path may be left out, but a field's value stays whole. */
export type PartOf<R> = [Leaves<R>] extends [never]
  ? object
  : Intersect<Leaves<R>> extends infer All
    ? { [K in keyof All]?: (All[K] extends Leaf<infer T> ? T : PartIn<All[K]>) | undefined }
    : never;

/** Part of what the fields below one key hold. */
type PartIn<Below> = Below extends infer All
  ? { [K in keyof All]?: (All[K] extends Leaf<infer T> ? T : PartIn<All[K]>) | undefined }
  : never;

/**
 * For each mapped field, a nested object of one key; the field's value is marked, so that it is not taken apart. A path that is
 * not known to the types has no place in the data.
 */
type Leaves<R> = {
  [K in Exclude<keyof R, Derived>]-?: Known<R[K]> extends Mapped<infer T, infer P>
    ? string extends P
      ? never
      : Nest<P, Leaf<undefined extends R[K] ? T | undefined : T>>
    : never;
}[Exclude<keyof R, Derived>];

interface Leaf<T> {
  readonly leaf: [T];
}

/** A mapped path of a record, or the path of an object that holds mapped ones. */
// Not in terms of `MappedPath`: TypeScript 5.4 would not recognise it there if the record is a type parameter.
export type PathOf<R> = {
  [K in Exclude<keyof R, Derived>]-?: Known<R[K]> extends Mapped<unknown, infer P> ? Prefix<P> : never;
}[Exclude<keyof R, Derived>];

/** The type at a path of some data. */
export type ValueAt<D, P extends string> = P extends `${infer Head}.${infer Rest}`
  ? Head extends keyof D
    ? ValueAt<D[Head], Rest>
    : undefined
  : P extends keyof D
    ? D[P]
    : undefined;

/** What some data hold at several paths, in the same structure; any part of it if the paths are not known to the types. */
export type PickedOf<R, Paths extends readonly string[]> = Paths extends unknown
  ? number extends Paths['length']
    ? PartOf<R>
    : true extends { [K in keyof Paths]: IsUnion<Paths[K]> }[number]
      ? PartOf<R>
      : PickedIn<DataOf<R>, Paths[number]>
  : never;

/** Whether a type has several members; `boolean` has two. */
export type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;

type PickedIn<D, P extends string> = D extends infer All
  ? {
      [K in keyof All & HeadOf<P>]: K extends P
        ? All[K]
        : PickedIn<All[K], P extends `${K}.${infer Rest}` ? Rest : never>;
    }
  : never;

type HeadOf<P extends string> = P extends `${infer Head}.${string}` ? Head : P;

/** Values that are replaced whole, never in part. */
type Whole =
  | string
  | number
  | bigint
  | boolean
  | readonly unknown[]
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Date
  | ((...args: never) => unknown);

type Nest<P extends string, T> = P extends `${infer Head}.${infer Rest}`
  ? { [K in Head]: Nest<Rest, T> }
  : { [K in P]: T };

/** All members of a union of nested one-key objects in one object. Field values are left as they are. */
type Intersect<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

type Prefix<P extends string> = P extends `${infer Head}.${infer Rest}`
  ? Head | `${Head}.${Prefix<Rest>}`
  : P;
