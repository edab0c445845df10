import { whole } from './fields';
import type { StandardSchema } from './standard';

/** What is read of a JSON schema, and of a schema of valibot, which describes itself. */
interface Shape {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly prefixItems?: unknown;
  readonly default?: unknown;
  readonly properties?: Shapes;
  readonly required?: readonly string[];
  readonly additionalProperties?: object | boolean;
  readonly entries?: Shapes;
  readonly wrapped?: Shape;
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
  readonly $ref?: string;
  readonly $defs?: Shapes;
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
  const shape = jsonSchema?.output(options) ?? (schema as Shape);
  const { $defs = {} } = shape;
  const blank = blankGroup(told(shape, $defs), $defs);
  if (!blank) throw new TypeError('defineRecord: give "initial", the schema does not tell its keys');
  return blank;
}

/** With what is told elsewhere under its name, or by what a default is wrapped around. */
const told = (shape: Shape, defs: Shapes): Shape => ({
  ...defs[shape.$ref?.slice('#/$defs/'.length) ?? ''],
  ...(shape.default ? shape.wrapped : {}),
  ...shape,
});

function blankGroup(shape: Shape, defs: Shapes): object | undefined {
  const { entries, properties = entries, required = [], default: values } = shape;
  const blankOfKey = (key: string, of: Shape) => {
    const found = told(of, defs);
    const given = (values as Readonly<Record<string, unknown>> | undefined)?.[key] ?? found.default;
    return blankValue({ ...found, default: given }, !!entries || required.includes(key), defs);
  };
  return (
    properties &&
    Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, blankOfKey(key, of)]))
  );
}

/** Only an object that is always there, and has no keys but its own, has fields of its own. */
function blankValue(shape: Shape, isSure: boolean, defs: Shapes): unknown {
  const { type, oneOf = type, anyOf = oneOf, default: given, additionalProperties } = shape;
  const isOpen = additionalProperties ?? /loose|with/.test(type as string);
  const group = isSure && !isOpen && blankGroup(shape, defs);
  if (group) return group;
  // A default of valibot may be a function, of what only valibot knows. One of what JSON has no type for, such as a date,
  // is not what JSON makes of it.
  if (anyOf && given !== undefined && typeof given !== 'function') return whole(given);
  const isBound = shape.enum ?? shape.const ?? shape.prefixItems;
  const blanks = isSure && !isBound ? { string: '', array: [] } : {};
  return whole((blanks as Record<string, unknown>)[type as string]);
}
