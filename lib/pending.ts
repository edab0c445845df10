import type { Entry } from './entry';
import type { Read } from './ticket';

/** What decides which fields the answer to a request under way reaches. */
export interface Pending {
  /** What a field must still show for the answer to replace it: otherwise it holds an edit that was not sent. */
  expected: Map<Entry, unknown>;
  /** The fields that hold something newer than the answer. */
  newer: Set<Entry>;
  /** What was sent: if the server stored something else for it, that is no conflict. */
  sent?: ReadonlyMap<Entry, unknown>;
}

/** A read of a record. */
export interface RecordRead extends Read, Pending {
  /** The keys of the item that a newer read of its list has brought since, or of which something has been announced. */
  readonly brought: Set<string>;
}
