import fc from 'fast-check';
import { Observable, Subject, Subscription } from 'rxjs';
import { describe } from 'vitest';

import { Lane } from '../../lib/request/lane';

import { law } from './law';
import { same } from './same';

/** A task in a lane. */
interface Work {
  readonly end$: Subject<void>;
  state: 'waits' | 'runs' | 'is over';
  leave(): void;
}

/** A lane, and all tasks that have entered it. */
class Course {
  readonly #lane = new Lane();
  readonly works: Work[] = [];
  /** The places of the tasks that have run, in the order in which they began. */
  readonly begun: number[] = [];

  in(...states: Work['state'][]): Work[] {
    return this.works.filter(({ state }) => states.includes(state));
  }

  /** Lets a task enter, which may take a step when it begins. */
  enter(begin: Step | undefined): void {
    const place = this.works.length;
    const work: Work = { end$: new Subject(), state: 'waits', leave: () => undefined };
    this.works.push(work);
    const over = () => {
      work.state = 'is over';
    };
    const work$ = new Observable<void>((subscriber) => {
      work.state = 'runs';
      this.begun.push(place);
      work.end$.subscribe(subscriber);
      if (begin) run(this, begin);
    });
    const subscription = new Subscription();
    work.leave = () => {
      over();
      subscription.unsubscribe();
    };
    subscription.add(this.#lane.enter(work$).subscribe({ complete: over, error: over }));
  }

  end(how: 'complete' | 'error'): void {
    const [running] = this.in('runs');
    running?.end$[how](new Error('work'));
  }

  leave(place: number): void {
    const present = this.in('waits', 'runs');
    present[place % present.length]?.leave();
  }
}

/** The steps of a lane. */
type Step =
  { readonly enter: Step | undefined } | { readonly end: 'complete' | 'error' } | { readonly leave: number };

function run(course: Course, step: Step): void {
  if ('enter' in step) course.enter(step.enter);
  else if ('end' in step) course.end(step.end);
  else course.leave(step.leave);
}

const plain = fc.oneof(
  fc.record({ end: fc.constantFrom('complete' as const, 'error' as const) }),
  fc.record({ leave: fc.nat(5) }),
);
const entering = (begin: fc.Arbitrary<Step | undefined>) => fc.record({ enter: begin });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: plain },
  { weight: 1, arbitrary: entering(fc.constant(undefined)) },
  { weight: 1, arbitrary: entering(fc.oneof(plain, entering(fc.constant(undefined)))) },
);

describe('a lane', () => {
  law(
    'runs one task at a time, in order of entry, and is never idle while one waits',
    [fc.array(step)],
    (steps) => {
      const course = new Course();
      const look = () => {
        const isBusy = course.in('waits', 'runs').length > 0;
        same(course.in('runs').length, isBusy ? 1 : 0);
      };
      for (const each of steps) {
        run(course, each);
        look();
      }
      while (course.in('runs').length) {
        course.end('complete');
        look();
      }

      same(
        course.begun,
        [...new Set(course.begun)].sort((a, b) => a - b),
      );
      same(course.in('waits', 'runs').length, 0);
    },
  );
});
