import type { DataModel, StateStream } from '../index';

import {
  asyncScheduler,
  catchError,
  combineLatest,
  concatMap,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  equal,
  filter,
  finalize,
  first,
  from,
  lastValueFrom,
  map,
  merge,
  Observable,
  of,
  saveLatest,
  skip,
  Subject,
  switchMap,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from './peers';
import type { ObservableInput, SchedulerLike, Subscription, Unsubscribable } from './peers';

/** When an {@link autosave} saves, and how. */
export interface AutosaveOptions {
  /** How long nothing must have been edited before a save, in milliseconds: 0 to 2147483647. Default 500. */
  readonly after?: number | undefined;
  /**
   * Saves once; called at its turn, when there is something to save. Default: `() => record.save$({ patch: true })`. What was
   * not saved by its end counts as failed, whatever it emits.
   */
  readonly save?: (() => ObservableInput<unknown>) | undefined;
  /**
   * While its latest value is false, only `flush` saves, and the decision of a conflict; what was edited meanwhile is saved as
   * soon as it is true again.
   */
  readonly while$?: Observable<boolean> | undefined;
  /** The clock. Default: RxJS's `asyncScheduler`, whatever that of the root. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * How a record that is saved while it is edited stands:
 *
 * - `clean`: nothing is unsaved.
 * - `dirty`: there are edits, and they are going to be saved.
 * - `saving`: a save is under way, of this or of anybody else.
 * - `failed`: the edits are those that the last save could not save (see `error$` of the record). The next edit tries again,
 *   or `flush`.
 * - `conflict`: the server contradicts an edit. Nothing is saved until each of `openConflicts$` is decided; then at once.
 */
export type AutosaveState = 'clean' | 'dirty' | 'saving' | 'failed' | 'conflict';

/** What saves a record while it is edited. Its methods may be detached from it. */
export interface Autosave extends Unsubscribable {
  /** How the record stands. Completes with the record. */
  readonly state$: StateStream<AutosaveState>;
  /**
   * Saves now whatever is unsaved, also what is edited meanwhile: for a Save button, for a guard that lets a page be left,
   * before another record is shown, when a connection is back.
   *
   * @returns Whether nothing is unsaved any more; false after a failed save, with an open conflict, or once this has ended.
   *   Never rejects.
   */
  readonly flush: () => Promise<boolean>;
  /** Saves now whatever is unsaved, as `flush`, and then ends. */
  readonly close: () => Promise<boolean>;
  /** Ends at once: aborts a save under way, and saves nothing more. So does the end of the record. */
  readonly unsubscribe: () => void;
}

/**
 * Saves a record while it is edited: `const saving = autosave(note)`, from then on.
 *
 * One save at a time, then one more for what was edited meanwhile. Nothing is sent if nothing is unsaved by then, as when
 * somebody else has saved or a reset came first, and never during a destroy, which it would undo. A save that fails or is
 * refused keeps the edits.
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
  readonly #asked$ = new Subject<void>();
  readonly #saves: Subscription;
  /** Emits when a save begins and when it ends. */
  readonly #turn$ = new Subject<void>();
  #isSaving = false;
  /** What the last save could not save. */
  #failed: unknown;

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
    this.#save = save;
    const { changes$, isDeleting$, isDirty$, isSaving$, openConflicts$ } = record;
    const edited$ = changes$.pipe(switchMap(() => (isDirty$.value ? timer(after, scheduler) : EMPTY)));
    const decided$ = openConflicts$.pipe(
      skip(1),
      filter((open) => !open.length),
    );
    const due$ = combineLatest([edited$, while$]).pipe(filter(([, isOn]) => isOn));
    this.#saves = merge(due$, decided$, this.#asked$)
      .pipe(
        saveLatest(() => this.#whenDue(() => this.#attempt())),
        // Its streams complete when it is disposed of.
        takeUntil(isDirty$.pipe(count())),
      )
      .subscribe();
    const state$ = merge(changes$, isSaving$, isDeleting$, openConflicts$, this.#turn$).pipe(
      map(() => this.#state),
      distinctUntilChanged(),
      takeUntil(isDirty$.pipe(count())),
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
  };

  get #state(): AutosaveState {
    const { isDeleting$, isDirty$, isSaving$, openConflicts$ } = this.#record;
    if (this.#isSaving || isSaving$.value) return 'saving';
    if (!isDirty$.value) return 'clean';
    if (openConflicts$.value.length) return 'conflict';
    return !isDeleting$.value && equal(this.#failed, this.#unsaved()) ? 'failed' : 'dirty';
  }

  /** What is unsaved, and of which record. */
  #unsaved(): unknown {
    const { idAttribute } = this.#record;
    const edited = Object.entries(this.#record.dirtyMap()).flatMap(([path, isDirty]) =>
      isDirty ? path : [],
    );
    return [idAttribute, edited].map((paths) => this.#record.get(paths as never));
  }

  /** Runs once nothing else is about to change what is unsaved, if there still is something to save. */
  #whenDue(run: () => Observable<unknown>): Observable<unknown> {
    const { isDeleting$, isDirty$, isSaving$, openConflicts$ } = this.#record;
    return combineLatest([isSaving$, isDeleting$]).pipe(
      filter((flags) => !flags.includes(true)),
      take(1),
      concatMap(() => (isDirty$.value && !openConflicts$.value.length ? run() : EMPTY)),
    );
  }

  #attempt(): Observable<unknown> {
    const unsaved = this.#unsaved();
    const end = () => {
      this.#isSaving = false;
      this.#failed = equal(unsaved, this.#unsaved()) ? unsaved : undefined;
      this.#turn$.next();
    };
    return defer(() => {
      this.#isSaving = true;
      this.#turn$.next();
      // Whoever was just notified may have saved or reset the record.
      return this.#whenDue(() => started(this.#save)).pipe(catchError(() => EMPTY));
    }).pipe(tap({ complete: end, unsubscribe: end }));
  }

  readonly #flush$: Observable<boolean> = defer(() => {
    this.#asked$.next();
    return merge(this.state$, this.#end$).pipe(
      tap((state) => {
        // Something was edited meanwhile.
        if (state === 'dirty') this.#asked$.next();
      }),
      first((state) => state !== 'dirty' && state !== 'saving', undefined),
      map(() => this.#state === 'clean'),
    );
  });

  /** Emits once nothing is saved any more. */
  readonly #end$ = new Observable<void>((subscriber) => {
    const tell = () => {
      subscriber.next();
    };
    this.#saves.add(tell);
    return () => {
      this.#saves.remove(tell);
    };
  });
}

/** Calls `save`. What it throws instead of a stream that fails is a mistake, which no `error$` would show. */
function started(save: () => ObservableInput<unknown>): Observable<unknown> {
  try {
    return from(save());
  } catch (error) {
    throwError(() => error).subscribe();
    return EMPTY;
  }
}
