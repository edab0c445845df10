import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { declaration, quote, toParameters, toRow } from './columns.ts';
import type { JsonObject } from './json.ts';
import type { Resource, Row } from './resources.ts';

/** Which rows of a table to read, and in which order: all of them by id, by default. */
export interface Selection {
  /** Keeps rows with this text in one of the searched columns, ignoring case. */
  readonly search?: string | undefined;
  /** Path of the column to sort by; rows that tie are sorted by id. */
  readonly sort?: { readonly path: string; readonly descending: boolean } | undefined;
  /** `number` counts from 1. */
  readonly page?: { readonly number: number; readonly size: number } | undefined;
}

/** Thrown by a write that would give two rows the same value in a unique column. */
export class TakenError extends Error {
  override readonly name = 'TakenError';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`The ${path} is taken`, { cause });
    this.path = path;
  }
}

/** The rows of one resource in SQLite. Each method is synchronous, so no other request runs during it. */
export class Table {
  readonly #database: DatabaseSync;
  readonly #resource: Resource;
  readonly #name: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, resource: Resource) {
    this.#database = database;
    this.#resource = resource;
    this.#name = quote(resource.name);
  }

  /** Creates the table unless the database has it. */
  create(): void {
    // With AUTOINCREMENT, the id of a deleted row is never used again.
    const columns = ['id INTEGER PRIMARY KEY AUTOINCREMENT', ...this.#resource.columns.map(declaration)];
    this.#database.exec(`CREATE TABLE IF NOT EXISTS ${this.#name} (${columns.join(', ')}) STRICT`);
  }

  /** The number of rows, or of those that contain the searched text. */
  count(search?: string): number {
    const { where, values } = this.#filter(search);
    const counted = this.#prepare(`SELECT count(*) AS n FROM ${this.#name} ${where}`).get(...values);
    return Number(counted?.n);
  }

  list({ search, sort, page }: Selection = {}): Row[] {
    const { where, values } = this.#filter(search);
    const by =
      sort === undefined ? '' : `${quote(sort.path)} COLLATE NOCASE ${sort.descending ? 'DESC' : 'ASC'}, `;
    const limit = page === undefined ? [-1, 0] : [page.size, (page.number - 1) * page.size];
    return this.#prepare(`SELECT * FROM ${this.#name} ${where} ORDER BY ${by}id LIMIT ? OFFSET ?`)
      .all(...values, ...limit)
      .map((stored) => toRow(this.#resource.columns, stored));
  }

  find(id: number): Row | undefined {
    const stored = this.#prepare(`SELECT * FROM ${this.#name} WHERE id = ?`).get(id);
    return stored && toRow(this.#resource.columns, stored);
  }

  /** Adds a row, with a new id unless one is given, and returns it. Throws TakenError. */
  insert(fields: JsonObject, id: number | null = null): Row {
    const names = ['id', ...this.#resource.columns.map(({ path }) => quote(path))];
    const marks = names.map(() => '?');
    const sql = `INSERT INTO ${this.#name} (${names.join(', ')}) VALUES (${marks.join(', ')}) RETURNING *`;
    return this.#write(sql, [id, ...toParameters(this.#resource.columns, fields)]);
  }

  /** Replaces the fields of an existing row, and returns it. Throws TakenError. */
  replace(id: number, fields: JsonObject): Row {
    const sets = this.#resource.columns.map(({ path }) => `${quote(path)} = ?`);
    const sql = `UPDATE ${this.#name} SET ${sets.join(', ')} WHERE id = ? RETURNING *`;
    return this.#write(sql, [...toParameters(this.#resource.columns, fields), id]);
  }

  delete(id: number): void {
    this.#prepare(`DELETE FROM ${this.#name} WHERE id = ?`).run(id);
  }

  #write(sql: string, values: SQLInputValue[]): Row {
    try {
      return toRow(this.#resource.columns, this.#prepare(sql).get(...values) ?? {});
    } catch (error) {
      const taken = this.#resource.columns.find(
        ({ path }) =>
          error instanceof Error &&
          error.message === `UNIQUE constraint failed: ${this.#resource.name}.${path}`,
      );
      throw taken ? new TakenError(taken.path, error) : error;
    }
  }

  /** Prepares each statement only the first time. */
  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #filter(search = ''): { where: string; values: string[] } {
    if (search === '') return { where: '', values: [] };
    const tests = this.#resource.searched.map((path) => `instr(lowercase(${quote(path)}), ?) > 0`);
    return { where: `WHERE ${tests.join(' OR ')}`, values: tests.map(() => search.toLowerCase()) };
  }
}
