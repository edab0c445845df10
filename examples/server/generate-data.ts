import { writeFileSync } from 'node:fs';
import { Faker, base, en } from '@faker-js/faker';
import { listGroceries } from './grocery-list.ts';
import type { Person } from './schema.ts';

// With the seed and the date fixed, each run makes the same people, so any change in data/ is deliberate.
const seed = 20_240_229;
const today = new Date('2024-02-29T00:00:00Z');

const places = [
  ['Amsterdam', 'Netherlands'],
  ['Auckland', 'New Zealand'],
  ['Austin', 'United States'],
  ['Barcelona', 'Spain'],
  ['Buenos Aires', 'Argentina'],
  ['Cape Town', 'South Africa'],
  ['Copenhagen', 'Denmark'],
  ['Dublin', 'Ireland'],
  ['Edinburgh', 'United Kingdom'],
  ['Kraków', 'Poland'],
  ['Lisbon', 'Portugal'],
  ['Ljubljana', 'Slovenia'],
  ['Lyon', 'France'],
  ['Malmö', 'Sweden'],
  ['Melbourne', 'Australia'],
  ['Montréal', 'Canada'],
  ['Nairobi', 'Kenya'],
  ['Osaka', 'Japan'],
  ['Reykjavík', 'Iceland'],
  ['São Paulo', 'Brazil'],
  ['Singapore', 'Singapore'],
  ['Tallinn', 'Estonia'],
  ['Vienna', 'Austria'],
  ['Zürich', 'Switzerland'],
] as const;

const notes = [
  'Prefers e-mail to calls.',
  'Best reached before noon.',
  'Works from home on Fridays.',
  'On leave until the end of the month.',
  'Asked for a copy of the contract.',
  'Met at the spring conference.',
  'Introduced by a colleague.',
];

/** The people in a new database, with ids from 1: the same ones on each call. */
export function generatePeople(count = 300): Person[] {
  const faker = new Faker({ locale: [en, base], seed });
  faker.setDefaultRefDate(today);
  const taken = new Set<string>();
  return Array.from({ length: count }, (_, index) => generatePerson(faker, index + 1, taken));
}

/** The text of a data file: one row per line, so that a diff shows which rows changed. */
export function serialize(rows: readonly object[]): string {
  return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
}

function generatePerson(faker: Faker, id: number, taken: Set<string>): Person {
  const first = faker.person.firstName();
  const last = faker.person.lastName();
  const [city, country] = faker.helpers.arrayElement(places);
  return {
    id,
    name: `${first} ${last}`,
    email: freeEmail(`${first}.${last}`, taken),
    phone: faker.phone.number({ style: 'international' }),
    role: faker.person.jobTitle(),
    company: faker.company.name(),
    address: { street: faker.location.streetAddress(), city, country },
    born: faker.date.birthdate({ mode: 'age', min: 20, max: 70 }).toISOString().slice(0, 10),
    active: faker.datatype.boolean(0.85),
    notes: faker.helpers.maybe(() => faker.helpers.arrayElement(notes), { probability: 0.4 }) ?? '',
  };
}

function freeEmail(name: string, taken: Set<string>): string {
  const local = name.toLowerCase().replace(/[^a-z.]/g, '');
  let email = `${local}@example.com`;
  for (let next = 2; taken.has(email); next += 1) email = `${local}${String(next)}@example.com`;
  taken.add(email);
  return email;
}

if (import.meta.main) {
  writeFileSync(new URL('data/people.json', import.meta.url), serialize(generatePeople()));
  writeFileSync(new URL('data/groceries.json', import.meta.url), serialize(listGroceries()));
}
