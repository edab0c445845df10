import { whole } from './fields';
import type { StandardSchema } from './standard';

/** What is read of a JSON schema, and of a schema of valibot, which describes itself. */
interface Shape {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly default?: unknown;
  readonly properties?: Shapes;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly entries?: Shapes;
}

type Shapes = Readonly<Record<string, Shape>>;

/** Has each library describe what JSON has no word for, such as a date, as anything. */
const options = {
  target: 'draft-2020-12',
  libraryOptions: { unrepresentable: 'any', fallback: ({ base }: { readonly base: unknown }) => base },
};

/**
 * What a record begins with as the schema itself tells: its keys, its defaults, and where text or a list has to be an
 * empty one. By Standard JSON Schema, which zod and arktype follow, or the `entries` of valibot.
 *
 * @throws TypeError for a schema that does not tell its keys.
 */
export function blankOf(schema: StandardSchema): object {
  const { jsonSchema } = schema['~standard'] as { readonly jsonSchema?: { output(options: object): Shape } };
  const blank = blankGroup(jsonSchema?.output(options) ?? (schema as Shape));
  if (!blank) throw new TypeError('defineRecord: give "initial", the schema does not tell its keys');
  return blank;
}

function blankGroup({ entries, properties = entries, required = [] }: Shape): object | undefined {
  const blankOfKey = (key: string, shape: Shape) => blankValue(shape, !!entries || required.includes(key));
  return (
    properties &&
    Object.fromEntries(Object.entries(properties).map(([key, shape]) => [key, blankOfKey(key, shape)]))
  );
}

/** Only an object that is always there, and has no keys but its own, has fields of its own. */
function blankValue(shape: Shape, isSure: boolean): unknown {
  const { type, enum: values, default: given, additionalProperties } = shape;
  const group = isSure && !additionalProperties && blankGroup(shape);
  if (group) return group;
  // A default of valibot may be a function, of what only valibot knows.
  if (given !== undefined && typeof given !== 'function') return whole(given);
  const blanks = isSure && !values ? { string: '', array: [] } : {};
  return whole((blanks as Record<string, unknown>)[type as string]);
}
