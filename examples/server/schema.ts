import { z } from 'zod';

const text = (longest = 200) =>
  z.string({ error: expected('text') }).max(longest, `must be at most ${String(longest)} characters`);

/** Text that must not be blank; surrounding white space is removed. */
const words = (longest = 200) => text(longest).trim().min(1, 'must not be blank');

const flag = () => z.boolean({ error: expected('true or false') });

const email = () =>
  z.email({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be an e-mail address'),
  });

const address = z.object(
  { street: text().default(''), city: words(), country: text().default('') },
  { error: expected('an object') },
);

/**
 * The fields of a person that a client may write. Only `name`, `email` and `address.city` are required; all
 * others have a default, and fields not listed here (such as `id`) are dropped.
 */
export const personSchema = z.object(
  {
    name: words(),
    email: email(),
    phone: text().default(''),
    role: text().default(''),
    company: text().default(''),
    // Parsed, unlike a `default`, so that a missing address is reported at "address.city", where a form
    // shows it.
    address: address.prefault(() => ({}) as z.input<typeof address>),
    born: z.iso.date({ error: 'must be a date such as 1984-02-29' }).nullable().default(null),
    active: flag().default(true),
    notes: text(2000).default(''),
  },
  { error: expected('an object') },
);

/** The fields of a grocery that a client may write. Only `name` is required; the others have defaults. */
export const grocerySchema = z.object(
  {
    name: words(),
    quantity: z
      .number({ error: expected('a number') })
      .min(0, 'must be 0 or more')
      .default(1),
    unit: words(20).default('pcs'),
    category: words(50).default('Other'),
    done: flag().default(false),
  },
  { error: expected('an object') },
);

/** A row of `/api/people`, as the server sends it. */
export type Person = { id: number } & z.output<typeof personSchema>;

/** A row of `/api/groceries`, as the server sends it. */
export type Grocery = { id: number } & z.output<typeof grocerySchema>;

function expected(kind: string) {
  return (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : `must be ${kind}`);
}
