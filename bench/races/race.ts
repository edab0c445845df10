import type { Answer, Person } from './server.ts';
import { Server } from './server.ts';

/** A form that edits one person. */
export interface Form {
  readonly edit: (name: string) => void;
  /** Saves, as a click on a button does; ends when the library says so, whatever the answer. */
  readonly save: () => Promise<unknown>;
  /** The name shown. */
  readonly name: () => unknown;
  /** Whether the library counts anything as unsaved; omitted if it does not tell. */
  readonly isDirty?: () => boolean;
}

/** A library that saves records. */
export interface Racer {
  readonly name: string;
  /** How it is used where it leaves a choice. */
  readonly note?: string;
  /** Opens a form for a person, or for a new one, who has no id. */
  readonly open: (url: string, person: Omit<Person, 'id'> & Partial<Person>) => Form | Promise<Form>;
}

/** How a race ended. */
export interface Outcome {
  readonly isRight: boolean;
  readonly text: string;
}

/** Something that people do faster than a server answers. */
export interface Race {
  readonly title: string;
  readonly run: (racer: Racer) => Promise<Outcome>;
}

const right = (text: string): Outcome => ({ isRight: true, text });
const wrong = (text: string): Outcome => ({ isRight: false, text });

export const races: readonly Race[] = [
  {
    title: 'A name is typed while another is being saved',
    run: (racer) => typedMeanwhile(racer),
  },
  {
    title: 'Two saves in quick succession, answered in reverse order if both are under way',
    run: (racer) =>
      withServer(async (server, url) => {
        const form = await racer.open(url, ann);
        form.edit('Bo');
        const first = form.save();
        form.edit('Eve');
        const saved = Promise.all([first, form.save()]);
        const most = await answerAll(server, saved);
        const stored = String(server.people.get(ann.id)?.name);
        const how = most > 1 ? `${most} under way at once` : 'one after the other';
        const where = `the server has ${stored}, the form ${String(form.name())}`;
        return { isRight: stored === 'Eve' && form.name() === 'Eve', text: `${how}; ${where}` };
      }),
  },
  {
    title: 'A new record is saved twice',
    run: (racer) =>
      withServer(async (server, url) => {
        const form = await racer.open(url, { name: 'Bo' });
        const first = form.save();
        const saved = Promise.all([first, form.save()]);
        await answerAll(server, saved);
        const creates = server.lines.filter((line) => line.startsWith('POST')).length;
        const lines = server.lines.join(', ');
        return { isRight: creates === 1 && !lines.includes('undefined'), text: lines };
      }),
  },
  {
    title: 'A name is typed while a save is being refused',
    run: (racer) => typedMeanwhile(racer, 422),
  },
];

const ann: Person = { id: 1, name: 'Ann' };

/** Types a name while another is being saved, with an answer or a refusal. */
const typedMeanwhile = (racer: Racer, status?: number): Promise<Outcome> =>
  withServer(async (server, url) => {
    const form = await racer.open(url, ann);
    form.edit('Bo');
    const saved = form.save();
    const [answer] = await firstOf(server);
    form.edit('Eve');
    answer?.(status);
    await saved;
    return outcomeOf(form, server);
  });

async function withServer(run: (server: Server, url: string) => Promise<Outcome>): Promise<Outcome> {
  const server = new Server();
  server.people.set(ann.id, ann);
  try {
    return await run(server, await server.start());
  } finally {
    server.stop();
  }
}

/** Whether the name typed last is still there, counts as unsaved, and reaches the server with the next save. */
async function outcomeOf(form: Form, server: Server): Promise<Outcome> {
  if (form.name() !== 'Eve') return wrong(`it is lost: the form has ${String(form.name())}`);
  if (form.isDirty?.() === false) return wrong('it is shown, but counts as saved');
  await answerAll(server, form.save());
  const stored = String(server.people.get(ann.id)?.name);
  return stored === 'Eve'
    ? right('it is kept, and saved next')
    : wrong(`it is shown, but the server has ${stored}`);
}

/** Takes the requests that wait, once there are any. */
async function firstOf(server: Server): Promise<readonly Answer[]> {
  const answers = await server.waiting();
  return answers.length ? answers : firstOf(server);
}

/**
 * Answers, the latest first, until what was saved has ended and no request comes any more. Returns how many waited at once at
 * most.
 */
async function answerAll(server: Server, saved: Promise<unknown>): Promise<number> {
  let most = 0;
  let isSaved = false;
  const end = () => {
    isSaved = true;
  };
  saved.then(end, end);
  for (let answers: readonly Answer[]; (answers = await server.waiting()).length || !isSaved;) {
    most = Math.max(most, answers.length);
    for (const answer of [...answers].reverse()) answer();
  }
  await saved;
  return most;
}
