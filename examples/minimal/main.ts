import { DataModel, lib } from 'rivulet';
import type { Lib, MappedField } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import type { Autosave } from 'rivulet/autosave';
import { Subscription } from 'rxjs';

/** A person as the server has it, as far as this page shows it. */
interface Row {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

class Person extends DataModel {
  readonly id = lib.observable(0).map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly email = lib.observable('').map('email', this);

  constructor(root: Lib) {
    super({}, root); // the url is that of the list
  }
}

const people = lib.collection<Row, Person>({ url: '/api/people', model: Person });

const [list, form, status] = [part('ul'), part('form'), part('output')];

const words = {
  clean: 'Saved',
  dirty: 'Typing…',
  saving: 'Saving…',
  failed: 'Not saved: the next edit tries again',
  conflict: 'Somebody else has changed this too',
};
let saving: Autosave | undefined;
let shown = new Subscription();

/** Shows a person in the form, once the one before is saved. */
async function open(row: Row): Promise<void> {
  if (saving && !(await saving.flush()) && !confirm('Some of it could not be saved. Go on?')) return;
  saving?.unsubscribe(); // its record keeps the edits: it is saved again once it is open again
  shown.unsubscribe();
  shown = new Subscription();
  const person = people.record(row); // what it saves appears in the list
  saving = autosave(person);
  shown.add(saving.state$.subscribe((state) => (status.value = words[state])));
  form.replaceChildren(box('Name', person.name), box('E-mail', person.email), status);
}

/** The part of the page with that name. */
function part<K extends 'ul' | 'form' | 'output'>(name: K): HTMLElementTagNameMap[K] {
  const [found] = document.getElementsByTagName(name);
  if (!found) throw new Error(`the page has no ${name}`);
  return found;
}

/** A labelled input that shows a field as long as its person is shown, and writes it as it is typed into. */
function box(text: string, field: MappedField<string>): HTMLElement {
  const input = document.createElement('input');
  input.addEventListener('input', () => {
    field.next(input.value);
  });
  const writing = field.subscribe((value) => {
    if (input.value !== value) input.value = value;
  });
  shown.add(writing);
  const label = document.createElement('label');
  label.append(text, input);
  return label;
}

/** A button for a place in the list, which stays when its person changes: so does the focus. */
function buttonAt(place: number): HTMLElement {
  const button = document.createElement('button');
  button.addEventListener('click', () => {
    const row = people.at(place);
    if (row) void open(row);
  });
  const item = document.createElement('li');
  item.append(button);
  list.append(item);
  return button;
}

const buttons: HTMLElement[] = [];
people.subscribe((rows) => {
  for (const [place, { name }] of rows.entries()) (buttons[place] ??= buttonAt(place)).textContent = name;
});
people.error$.subscribe((error) => (status.value = error ? `Not loaded: ${error.message}` : ''));
people.fetch().catch(() => undefined); // `error$` has the reason
addEventListener('beforeunload', (event) => {
  if (people.edited$.value.length > 0) event.preventDefault();
});
