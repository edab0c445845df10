import fc from 'fast-check';
import { Subject, defer, of } from 'rxjs';
import { describe } from 'vitest';

import { saveLatest } from 'rivulet';

import { law } from './law';
import { same } from './same';

type Edit = Readonly<Record<string, number>>;

/** An edit (if empty, nothing is dirty), the end of the save under way, or: the next save ends at once. */
const step = fc.oneof(
  fc.nat(4).map((value): Edit => (value ? { value } : {})),
  fc.constantFrom('answer' as const, 'answer next' as const),
);

/** Saves through `saveLatest`, and the expected saves. */
class Course {
  readonly edits$ = new Subject<Edit>();
  readonly saved: Edit[] = [];
  readonly expected: Edit[] = [];
  readonly emitted: Edit[] = [];
  isComplete = false;
  mostOpen = 0;
  isInstant = false;
  readonly #open: Subject<Edit>[] = [];
  #pending: Edit | undefined;

  constructor() {
    const complete = () => {
      this.isComplete = true;
    };
    this.edits$.pipe(saveLatest((edit) => defer(() => this.#save(edit)))).subscribe({
      next: (edit) => this.emitted.push(edit),
      complete,
    });
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  edit(edit: Edit): void {
    this.#pending = edit;
    this.#expectNext();
    this.edits$.next(edit);
  }

  answer(): void {
    const save = this.#open.pop();
    if (!save) return;
    this.#expectNext();
    save.next(this.saved.at(-1) ?? {});
    save.complete();
  }

  /** If no save is open, the latest value is saved next, unless it is empty. */
  #expectNext(): void {
    if (this.isOpen || !this.#pending) return;
    if (Object.keys(this.#pending).length) this.expected.push(this.#pending);
    this.#pending = undefined;
  }

  #save(edit: Edit) {
    this.saved.push(edit);
    if (this.isInstant) {
      this.isInstant = false;
      return of(edit);
    }
    const save$ = new Subject<Edit>();
    this.mostOpen = Math.max(this.mostOpen, this.#open.push(save$));
    return save$;
  }
}

describe('saveLatest', () => {
  law('runs one save at a time, each for the latest value, including the last', [fc.array(step)], (steps) => {
    const course = new Course();
    for (const each of steps) {
      if (each === 'answer') course.answer();
      else if (each === 'answer next') course.isInstant = true;
      else course.edit(each);
      same(course.saved, course.expected);
    }
    course.edits$.complete();
    while (course.isOpen) {
      same(course.isComplete, false);
      course.answer();
    }

    same([course.saved, course.emitted], [course.expected, course.expected]);
    same([course.isComplete, course.mostOpen <= 1], [true, true]);
  });
});
