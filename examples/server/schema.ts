import { z } from 'zod';

const text = (longest = 200) =>
  z.string({ error: expected('text') }).max(longest, `must be at most ${String(longest)} characters`);

/** Text that has to say something: surrounding space is cut, and nothing left is an error. */
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
 * What a client may write of a person. Only `name`, `email` and `address.city` are required; every other
 * field has a default, and fields that are not listed here (`id` among them) are dropped.
 */
export const personSchema = z.object(
  {
    name: words(),
    email: email(),
    phone: text().default(''),
    role: text().default(''),
    company: text().default(''),
    // Parsed rather than taken as it is, so that a missing address is reported at "address.city", where a
    // form shows it.
    address: address.prefault(() => ({}) as z.input<typeof address>),
    born: z.iso.date({ error: 'must be a date such as 1984-02-29' }).nullable().default(null),
    active: flag().default(true),
    notes: text(2000).default(''),
  },
  { error: expected('an object') },
);

/** What a client may write of a grocery. Only `name` is required; the rest has defaults. */
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
