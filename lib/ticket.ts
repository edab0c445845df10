import { of } from './rx';
import type { Observable } from './rx';
import type { Exchange } from './types';

/** One request as its target sees it: made when the request starts, notified of how it ends. */
export interface Ticket {
  /**
   * Emits once, when the answer that has arrived may be written.
   *
   * @param isEnded Whether the request has been ended: whatever ends several at once ends them one after the other.
   */
  readonly ready$: (isEnded: () => boolean) => Observable<unknown>;
  /** Whether the target still stands for what the request was begun for. */
  readonly isCurrent: () => boolean;
  /** Within a write: writes an ok answer, if it has data; returns false if something newer was there for any of it. */
  readonly accept: (data: unknown, isData: boolean, answered?: Answered) => boolean;
  /**
   * The server refused or was not reached, or the request was given up. Undefined if that leaves nothing to roll back: it was not
   * sent yet, or only its answer cannot be read.
   */
  readonly reject: (why: 'error' | 'abort' | undefined) => void;
  /** The request is over. */
  readonly end: () => void;
  /** The read that it is for, if it is for one. */
  readonly read?: Read;
}

/** An answer, and what it answers where that is known. */
export type Answered = Pick<Exchange, 'response'> & Partial<Pick<Exchange, 'request'>>;

/** For a target that always stands for the same, takes answers at once, and has nothing to undo. */
export const plainTicket: Omit<Ticket, 'accept' | 'end'> = {
  ready$: () => of(0),
  isCurrent: () => true,
  reject: () => undefined,
};

/** The record that a request is for. A write that changes the id changes it here too, for the writes behind it. */
export interface Identity {
  id: unknown;
}

/** A read under way: the id it asked for (none for a list), and whether something newer has been written since. */
export interface Read {
  readonly id?: unknown;
  isOvertaken: boolean;
  /** Its place in the order of issue; 0 for an item that a list passes on, which counts as neither older nor newer. */
  readonly order: number;
}

/** The last place assigned in one order: of all requests issued, creations begun, and lists filled during those. */
let issued = 0;

/** The next place in that order. */
export const nextInOrder = (): number => (issued += 1);
