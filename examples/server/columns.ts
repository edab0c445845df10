import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import type { Column, Row } from './resources.ts';

const sqlTypes = { text: 'TEXT', number: 'REAL', boolean: 'INTEGER' } as const;

/** Quotes a name for SQL, since it may contain a dot, as in `"address.city"`. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The line that declares a column in CREATE TABLE. */
export function declaration({ path, type, nullable = false, unique = false }: Column): string {
  const notNull = nullable ? '' : ' NOT NULL';
  return `${quote(path)} ${sqlTypes[type]}${notNull}${unique ? ' COLLATE NOCASE UNIQUE' : ''}`;
}

/** The values of a row in the order of its columns, for the placeholders of a statement. */
export function toParameters(columns: readonly Column[], fields: JsonObject): SQLInputValue[] {
  return columns.map(({ path }) => {
    const value = valueAt(fields, path.split('.'));
    if (typeof value === 'boolean') return Number(value);
    if (typeof value === 'object' || value === undefined) return null;
    return value;
  });
}

/** The row as clients see it: nested, and with booleans for the 0 and 1 that SQLite stores. */
export function toRow(columns: readonly Column[], stored: Record<string, SQLOutputValue>): Row {
  const row: Row = { id: Number(stored.id) };
  for (const { path, type } of columns) {
    const value = stored[path];
    const known = typeof value === 'string' || typeof value === 'number' ? value : null;
    place(row, path.split('.'), type === 'boolean' ? known === 1 : known);
  }
  return row;
}

function valueAt(fields: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), fields);
}

function place(row: JsonObject, [key = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    row[key] = value;
    return;
  }
  const inner = row[key];
  const group = isObject(inner) ? inner : {};
  row[key] = group;
  place(group, rest, value);
}
