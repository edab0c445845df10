import type { Kind } from './flags';
import { request$ } from './request/lifecycle';
import { resourceOf, sign } from './resource';
import type { Resource } from './resource';
import { defer, lastValueFrom } from './rx';
import type { Observable } from './rx';
import type { Sync } from './types';

/** How a member is made for one record or collection. */
export type Make = (resource: never, owner: never) => unknown;

/** A request as a cold stream. */
export const request =
  (kind: Kind): Make =>
  (resource: Resource) =>
  (options?: object) =>
    request$(resource, kind, options);

/** The promise of a cold stream. Uses `defer`, since an overridden method may throw. */
export const promise =
  (name: string): Make =>
  (_, owner: Record<string, (...args: unknown[]) => Observable<unknown>>) =>
  (...args: unknown[]) =>
    lastValueFrom(defer(() => (owner[name] as (...args: unknown[]) => Observable<unknown>)(...args)));

/** A flag for requests of some kinds. */
export const flag =
  (...kinds: Kind[]): Make =>
  (resource: Resource) =>
    resource.derive(() => resource.flags.isUp(kinds));

/** The default `sync` of whatever forwards its requests: the target is looked up each time, since it may be replaced. */
export const forward =
  (to: () => { readonly sync: Sync }): Sync =>
  (action, concern, options) =>
    to().sync.call(concern, action, concern, options);

/** A property that is read by a getter until something is assigned to it. */
export const replaceable = (
  name: PropertyKey,
  enumerable: boolean,
  get: (this: object) => unknown,
): PropertyDescriptor => ({
  configurable: true,
  enumerable,
  get,
  set(this: object, value: unknown) {
    Object.defineProperty(this, name, { value, configurable: true, enumerable, writable: true });
  },
});

/** Members by their name. */
export type Members<Name extends PropertyKey = PropertyKey> = Readonly<Record<Name, Make>>;

/** Those that records and collections share. */
export type SharedMember =
  | ('isReading$' | 'isReading' | 'isCreating$' | 'requestInProgress$')
  | ('idAttribute' | 'error$' | 'dispose');

const shared = {
  isReading$: flag('read'),
  isReading: (_, owner: { isReading$: unknown }) => owner.isReading$,
  isCreating$: flag('create'),
  requestInProgress$: flag('create', 'read', 'update', 'delete', 'save'),
  idAttribute: ({ idAttribute }: Resource) => idAttribute,
  error$: (resource: Resource) => resource.derive(() => resource.error),
  dispose: (resource: Resource) => () => {
    resource.dispose();
  },
} satisfies Members<SharedMember>;

/**
 * Gives a prototype members, each created on first use and then always the same: a record costs no more than what is used of
 * it, and a method works when detached from its object (`const { save } = person`, a click handler).
 *
 * @param parent A prototype whose own members are left alone.
 * @returns The prototype.
 */
export function define(prototype: object, members: Members, parent: object = {}): object {
  const all: Members = { ...shared, ...members };
  for (const name of Reflect.ownKeys(all)) {
    // What every object inherits does not count as the parent's own.
    if (name in parent && !(name in Object.prototype)) continue;
    const member = replaceable(name, false, function (this: object): unknown {
      const resource = resourceOf(this);
      if (resource) return (resource.members[name] ??= all[name]?.(resource as never, this as never));
      // Read from the prototype itself, as in `DataModel.prototype.save.call(person)`.
      return function (this: object, ...args: unknown[]): unknown {
        if (!resourceOf(this)) throw new TypeError(`${String(name)}: call it on a record or collection`);
        return (Reflect.get(prototype, name, this) as (...args: unknown[]) => unknown)(...args);
      };
    });
    Object.defineProperty(prototype, name, member);
  }
  sign(prototype);
  return prototype;
}
