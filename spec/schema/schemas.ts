import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

import { createLib } from 'rivulet';
import type { Lib, LibOptions } from 'rivulet';
import { defineRecord } from 'rivulet/schema';
import type { RecordConfig, SchemaRecord, StandardSchema } from 'rivulet/schema';

import { StubServer } from '../stub';

/** The data of a person in most specs. */
export interface Data {
  id?: number | undefined;
  name: string;
  born: Date;
  address: { city: string };
}

const text = v.pipe(v.string(), v.nonEmpty());

/** The one of the three that most specs use. */
export const personSchema = z.object({
  id: z.number().optional(),
  name: z.string().min(1),
  born: z.coerce.date<string | Date>(),
  address: z.object({ city: z.string().min(1) }),
}) as StandardSchema<Data>;

/** One schema in three libraries: no empty text; dates may come as text. */
export const libraries: readonly { library: string; schema: StandardSchema<Data> }[] = [
  { library: 'zod', schema: personSchema },
  {
    library: 'valibot',
    schema: v.object({
      id: v.optional(v.number()),
      name: text,
      born: v.pipe(
        v.union([v.string(), v.date()]),
        v.transform((value) => new Date(value)),
        v.date(),
      ),
      address: v.object({ city: text }),
    }) as StandardSchema<Data>,
  },
  {
    library: 'arktype',
    schema: type({
      'id?': 'number',
      name: 'string > 0',
      born: 'string.date.parse | Date',
      address: { city: 'string > 0' },
    }) as StandardSchema<Data>,
  },
];

/** A schema with the given check. */
export const schemaOf = <T = Data>(
  validate: StandardSchema<T>['~standard']['validate'],
): StandardSchema<T> => ({ '~standard': { version: 1, vendor: 'spec', validate } });

export const born = new Date('1815-12-10T00:00:00.000Z');

/** The person that the server knows, as JSON. */
export const ada = { id: 7, name: 'Ada', born: born.toJSON(), address: { city: 'London' } };

/** How the person of a test differs from the usual one. */
export interface PersonSetup extends Partial<RecordConfig<StandardSchema<Data>>> {
  readonly options?: LibOptions;
}

/** A person with a schema in a root of its own, valid and known to the server, whose requests the spec answers. */
export function withPerson({ options, ...config }: PersonSetup = {}): {
  root: Lib;
  person: SchemaRecord<Data>;
  server: StubServer;
} {
  const server = new StubServer();
  const root = createLib({ transport: server.transport, ...options });
  const Person = defineRecord<StandardSchema<Data>>({
    url: '/people',
    schema: personSchema,
    initial: { id: 7, name: 'Ada', born, address: { city: 'London' } },
    ...config,
  });
  return { root, person: new Person(root), server };
}
