import type { DataModel, StateStream } from '../index';

import { Edits } from './edits';
import { endOf, report } from './end-of';
import { Existence } from './existence';
import {
  asyncScheduler,
  concatMap,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  finalize,
  first,
  lastValueFrom,
  map,
  merge,
  of,
  pairwise,
  ReplaySubject,
  saveLatest,
  Subject,
  take,
  takeUntil,
  tap,
} from './peers';
import type { Observable, ObservableInput, SchedulerLike, Subscription, Unsubscribable } from './peers';

/** When an {@link autosave} saves, and how. */
export interface AutosaveOptions {
  /** How long to wait after the last edit, in milliseconds: 0 to 2147483647. Default 500. */
  readonly after?: number | undefined;
  /**
   * Saves once; called at its turn, when there is something to save. Default: `() => record.save$({ patch: true })`. What is
   * still unsaved at its end counts as failed, whatever it emits. It must not edit the record.
   */
  readonly save?: (() => ObservableInput<unknown>) | undefined;
  /**
   * While its latest value is false, only `flush` saves, and the decision of a conflict; edits that have waited long enough
   * are saved as soon as it is true again. If it fails, the autosave ends.
   */
  readonly while$?: Observable<boolean> | undefined;
  /** The clock. Default: RxJS's `asyncScheduler`, whatever that of the root. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * The state of a record under autosave:
 *
 * - `clean`: nothing is unsaved.
 * - `dirty`: there are edits, which are going to be saved.
 * - `saving`: a save is under way, of this or of anybody else.
 * - `failed`: the last save could not save the edits (see `error$` of the record). The next edit tries again, or `flush`; only
 *   `flush` if it may have created the record all the same. Also for edits made after a destroy, which nothing here saves.
 * - `conflict`: the server contradicts an edit. Nothing is saved until each of `openConflicts$` is decided; then at once.
 */
export type AutosaveState = 'clean' | 'dirty' | 'saving' | 'failed' | 'conflict';

/** What saves a record while it is edited. Its methods may be detached from it. */
export interface Autosave extends Unsubscribable {
  /** The state of the record. Completes when this ends. */
  readonly state$: StateStream<AutosaveState>;
  /**
   * Saves now whatever is unsaved, also what is edited meanwhile: for a Save button, for a guard that lets a page be left,
   * before another record is shown, when a connection is back. Waits as long as the requests take.
   *
   * @returns Whether nothing is unsaved any more; false after a failed save, with an open conflict, or if this has ended with
   *   something unsaved. Never rejects.
   */
  readonly flush: () => Promise<boolean>;
  /** Saves now whatever is unsaved, as `flush`, and then ends, whatever has become of that. */
  readonly close: () => Promise<boolean>;
  /** Ends at once: aborts a save under way (unless it is a promise), and saves nothing more. So does the end of the record. */
  readonly unsubscribe: () => void;
}

/**
 * Saves a record while it is edited: `const saving = autosave(note)`, from then on.
 *
 * One save at a time, then one more for what was edited meanwhile. Nothing is sent if nothing is unsaved by then, as when
 * somebody else has saved or a reset came first. Nothing is sent during a destroy, nor after it, as that would create the record
 * again, until the record has an id. A save that fails or is refused keeps the edits.
 *
 * @throws RangeError if `after` is no such time.
 */
export function autosave(record: DataModel, options: AutosaveOptions = {}): Autosave {
  return new RecordAutosave(record, options);
}

class RecordAutosave implements Autosave {
  readonly state$: StateStream<AutosaveState>;
  readonly #record: DataModel;
  readonly #save: () => ObservableInput<unknown>;
  /** Emits when a flush asks for a save. */
  readonly #asked$ = new Subject<void>();
  readonly #saves: Subscription;
  /** Emits when a save begins, and when it ends. */
  readonly #turned$ = new Subject<void>();
  /** Emits once nothing is saved any more. */
  readonly #ended$ = new ReplaySubject<void>(1);
  /** Whether a save is under way. */
  #isSaving = false;
  /** Whether a flush, or the decision of a conflict, asks for a save that has not begun. */
  #isAsked = false;
  /** The latest value of `while$`; false before the first. */
  #isOn = false;
  readonly #edits: Edits;
  readonly #existence: Existence;

  constructor(
    record: DataModel,
    {
      after = 500,
      save = () => record.save$({ patch: true }),
      while$ = of(true),
      scheduler = asyncScheduler,
    }: AutosaveOptions,
  ) {
    if (!(typeof after === 'number' && after >= 0 && after < 2 ** 31)) {
      throw new RangeError(
        `autosave: "after" must be milliseconds, from 0 to 2147483647, not ${String(after)}`,
      );
    }
    this.#record = record;
    this.#save = () => {
      try {
        return save();
      } finally {
        // Also if it throws, and what it has edited, as it must not: else each failure would ask for another save.
        this.#edits.markTried();
      }
    };
    this.#edits = new Edits(record, after, scheduler);
    this.#existence = Existence.of(record);
    const { changes$, isDirty$, isNew$, isSaving$, openConflicts$ } = record;
    const on$ = while$.pipe(tap((isOn) => (this.#isOn = isOn)));
    const asked$ = merge(decidedIn(record), this.#asked$).pipe(tap(() => (this.#isAsked = true)));
    // An id may permit what had to wait.
    this.#saves = merge(isNew$, on$, this.#edits.watching$, asked$)
      .pipe(
        saveLatest(() => this.#whenFree(() => this.#attempt())),
        // Its streams complete when it is disposed of.
        takeUntil(isDirty$.pipe(count())),
      )
      .subscribe({
        complete: () => {
          this.#end();
        },
        error: (error: unknown) => {
          this.#end();
          report(error);
        },
      });
    const state$ = merge(changes$, isNew$, isSaving$, openConflicts$, this.#turned$).pipe(
      map(() => this.#state),
      distinctUntilChanged(),
      takeUntil(this.#ended$),
    );
    this.state$ = Object.defineProperty(state$, 'value', {
      get: () => this.#state,
    }) as StateStream<AutosaveState>;
  }

  readonly flush = (): Promise<boolean> => lastValueFrom(this.#flush$);

  readonly close = (): Promise<boolean> =>
    lastValueFrom(
      this.#flush$.pipe(
        finalize(() => {
          this.unsubscribe();
        }),
      ),
    );

  readonly unsubscribe = (): void => {
    this.#saves.unsubscribe();
    // Only now the save under way is over, and that is told.
    this.#end();
  };

  #end(): void {
    // Nothing is waited for any more.
    this.#isAsked = this.#isOn = false;
    this.#ended$.next();
  }

  get #state(): AutosaveState {
    const { isDeleting$, isDirty$, isSaving$, openConflicts$ } = this.#record;
    if (this.#isSaving || isSaving$.value || (this.#isWanted && !isDeleting$.value)) return 'saving';
    if (!isDirty$.value) return 'clean';
    if (openConflicts$.value.length) return 'conflict';
    const { isGone, mayBeCreated } = this.#existence;
    return isGone || mayBeCreated || this.#edits.isTried ? 'failed' : 'dirty';
  }

  /** Whether there is something to save, and nothing forbids it. */
  #isSavable(isAsked: boolean): boolean {
    const { isDirty$, openConflicts$ } = this.#record;
    if (!isDirty$.value || openConflicts$.value.length || this.#existence.isGone) return false;
    return isAsked || (this.#isOn && !this.#existence.mayBeCreated);
  }

  /** Whether that is to be saved at the next turn. */
  get #isWanted(): boolean {
    return (this.#isAsked || this.#edits.isDue) && this.#isSavable(this.#isAsked);
  }

  /** Runs once nothing else is about to change what is unsaved. */
  #whenFree(run: () => Observable<never>): Observable<never> {
    const { isDeleting$, isSaving$ } = this.#record;
    return merge(isSaving$, isDeleting$).pipe(
      filter(() => !isSaving$.value && !isDeleting$.value),
      take(1),
      concatMap(run),
    );
  }

  /** One turn: saves if that is wanted. Whatever becomes of it, what was asked for counts as done. */
  #attempt(): Observable<never> {
    const isAsked = this.#isAsked;
    const isWanted = this.#isWanted;
    this.#isAsked = false;
    if (!isWanted) return EMPTY;
    return defer(() => {
      this.#isSaving = true;
      this.#turned$.next();
      // Whoever was just notified may have saved or reset the record, or switched this off.
      return this.#whenFree(() => (this.#isSavable(isAsked) ? endOf(this.#save) : EMPTY));
    }).pipe(
      finalize(() => {
        this.#isSaving = false;
        this.#turned$.next();
      }),
    );
  }

  readonly #flush$: Observable<boolean> = defer(() => {
    // A save under way is waited for; what that leaves is asked for below.
    if (!this.#isSaving) this.#asked$.next();
    return this.state$.pipe(
      tap((state) => {
        // Something was edited meanwhile.
        if (state === 'dirty') this.#asked$.next();
      }),
      // Without such a state, it has ended.
      first((state) => state !== 'dirty' && state !== 'saving', undefined),
      map(() => this.#state === 'clean'),
    );
  });
}

/** Emits when the last open conflict has ended, unless another record is shown since. */
function decidedIn(record: DataModel): Observable<unknown> {
  const idOf = () => record.get(record.idAttribute as never) as unknown;
  return record.openConflicts$.pipe(
    map((open) => ({ isOpen: open.length > 0, id: idOf() })),
    pairwise(),
    filter(([before, now]) => before.isOpen && !now.isOpen && before.id === now.id),
  );
}
