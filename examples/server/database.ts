import { DatabaseSync } from 'node:sqlite';
import groceryRows from './data/groceries.json' with { type: 'json' };
import personRows from './data/people.json' with { type: 'json' };
import { groceries, people } from './resources.ts';
import type { Row } from './resources.ts';
import { Table } from './table.ts';

/**
 * Opens the database of the example server. Creates missing tables, and fills empty ones from `data/`.
 *
 * @param path A file, created if missing, or `:memory:` for a database that is gone after `close()`.
 * @throws Error from SQLite if the file cannot be opened or is not a database.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // SQLite itself folds the case of ASCII letters only, but a search for "KRAKÓW" should find "Kraków".
    database.function('lowercase', { deterministic: true }, (text) => String(text).toLowerCase());
    database.exec('BEGIN IMMEDIATE');
    fill(new Table(database, people), personRows);
    fill(new Table(database, groceries), groceryRows);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function fill(table: Table, rows: readonly Row[]): void {
  table.create();
  if (table.count() > 0) return;
  for (const row of rows) table.insert(row, row.id);
}
