import type { z } from 'zod';
import type { JsonObject } from './json.ts';
import { grocerySchema, personSchema } from './schema.ts';

/** A stored row: the fields of its resource, and the id that the server gave it. */
export type Row = JsonObject & { id: number };

/** One stored field of a resource. */
export interface Column {
  /**
   * Path of the field in the row, dotted when nested, such as `address.city`. Also the name of the SQL column.
   */
  readonly path: string;
  readonly type: 'text' | 'number' | 'boolean';
  /** Whether the field may be `null`; false by default. */
  readonly nullable?: boolean;
  /** Whether each value may occur only once, ignoring the case of ASCII letters; false by default. */
  readonly unique?: boolean;
}

/** All the server needs to know to store a kind of row and serve it under `/api/<name>`. */
export interface Resource {
  /** The last part of the address, and the name of the table. */
  readonly name: string;
  /** What messages call a single row. */
  readonly singular: string;
  /** Checks what clients send, except the id, and fills in defaults. */
  readonly schema: z.ZodType<JsonObject>;
  readonly columns: readonly Column[];
  /** Paths of the text columns that `?search=` searches. */
  readonly searched: readonly string[];
}

/** `/api/people`: rows with a nested address and a unique e-mail. */
export const people: Resource = {
  name: 'people',
  singular: 'person',
  schema: personSchema,
  columns: [
    { path: 'name', type: 'text' },
    { path: 'email', type: 'text', unique: true },
    { path: 'phone', type: 'text' },
    { path: 'role', type: 'text' },
    { path: 'company', type: 'text' },
    { path: 'address.street', type: 'text' },
    { path: 'address.city', type: 'text' },
    { path: 'address.country', type: 'text' },
    { path: 'born', type: 'text', nullable: true },
    { path: 'active', type: 'boolean' },
    { path: 'notes', type: 'text' },
  ],
  searched: ['name', 'email', 'address.city'],
};

/** `/api/groceries`: flat rows with a number and a boolean. */
export const groceries: Resource = {
  name: 'groceries',
  singular: 'grocery',
  schema: grocerySchema,
  columns: [
    { path: 'name', type: 'text' },
    { path: 'quantity', type: 'number' },
    { path: 'unit', type: 'text' },
    { path: 'category', type: 'text' },
    { path: 'done', type: 'boolean' },
  ],
  searched: ['name', 'category'],
};
