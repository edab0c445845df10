import { BehaviorSubject, combineLatest, distinctUntilChanged } from 'rxjs';

import type { Data, System } from '../system.ts';

/** A subject for each field, and `combineLatest` over them: RxJS without a library on top. */
const rxjs: System = {
  name: 'rxjs',

  watched: (data, names, notice) => {
    const { subjects, apply, get } = subjectsOf(data);
    for (const name of names) subjects[name]?.pipe(distinctUntilChanged()).subscribe(() => notice(name));
    return { apply, get };
  },

  derived: (data, names, compute) => {
    const { subjects, apply, get } = subjectsOf(data);
    combineLatest(Object.fromEntries(names.map((name) => [name, subjects[name]]))).subscribe((values) =>
      compute((name) => values[name]),
    );
    return { apply, get };
  },
};

export default rxjs;

function subjectsOf(data: Data) {
  const subjects: Record<string, BehaviorSubject<unknown>> = {};
  for (const [name, value] of Object.entries(data)) subjects[name] = new BehaviorSubject(value);
  return {
    subjects,
    apply: (answer: Data) => {
      for (const name in subjects) subjects[name]?.next(answer[name]);
    },
    get: (name: string) => subjects[name]?.value,
  };
}
