import { mapKeys } from './data';
import type { Data } from './data';
import { whole } from './fields';
import type { StandardSchema } from './standard';

/** What is read from a JSON schema, or from a schema of valibot, which describes itself. */
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
  readonly kind?: unknown;
  readonly pipe?: unknown;
  readonly anyOf?: unknown;
  readonly options?: unknown;
  readonly oneOf?: unknown;
  readonly $ref?: string;
  readonly $defs?: Shapes;
}

type Shapes = Readonly<Record<string, Shape>>;

/** Makes each library describe what JSON has no type for, such as a date, as anything. */
const options = {
  target: 'draft-2020-12',
  libraryOptions: { unrepresentable: 'any', fallback: ({ base }: { readonly base: unknown }) => base },
};

/** Whether a value may be null: `nullable` is valibot's. Values, unlike types, may be text that reads the same. */
const isNullable = ({ type, anyOf, options: members, enum: values }: Shape): boolean => {
  const types = [anyOf, members].flat().map((member) => (member as Shape | undefined)?.type);
  return (
    [values].flat().includes(null) ||
    [type, types].flat(2).some((each) => /^null(able)?$/.test(each as string))
  );
};

/** The transformations of valibot whose output has the type of their input. */
const keepsType = /^(trim|normalize|brand|flavor|readonly|guard)|_(case|value)$|^(filter|map|sort)_items$/;

/** Whether a pipe of valibot, which shows its input only, has an output of another type. */
const isConverted = ({ pipe }: Shape): boolean =>
  // In other libraries it may be a method.
  Array.isArray(pipe) &&
  (pipe as readonly Shape[]).some(
    (step) => (step.kind === 'transformation' && !keepsType.test(step.type as string)) || isConverted(step),
  );

/**
 * What a record begins with according to the schema itself: its keys, its defaults, null where it is allowed, and empty text
 * and lists, where they are required. Read by Standard JSON Schema, which zod and arktype follow, or from the `entries` of
 * valibot.
 *
 * @returns Makes it, anew for each record if there are defaults: a function may make them, such as a unique id.
 * @throws TypeError for a schema that does not list its keys.
 */
export function blankOf(schema: StandardSchema): () => Data {
  const { blank, hasDefaults } = readBlank(schema);
  return () => (hasDefaults ? readBlank(schema).blank : blank);
}

/** The key that a reference within the schema ends with, a JSON pointer (RFC 6901). */
const keyOf = (reference: string): string =>
  reference.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~');

function readBlank(schema: StandardSchema): { readonly blank: Data; readonly hasDefaults: boolean } {
  const { jsonSchema } = schema['~standard'] as { readonly jsonSchema?: { output(options: object): Shape } };
  const root = jsonSchema?.output(options) ?? (schema as Shape);

  let hasDefaults = false;

  /** With what its `$ref` refers to, or with what its default is wrapped around. */
  const resolved = (shape: Shape): Shape => {
    const all = {
      ...root.$defs?.[keyOf(shape.$ref ?? '')],
      ...(shape.default ? shape.wrapped : {}),
      ...shape,
    };
    return isConverted(all) ? {} : all;
  };

  const blankGroup = (shape: Shape, values = shape.default): Data | undefined => {
    const { entries, properties = entries, required = [] } = shape;
    return (
      properties &&
      mapKeys(properties, (key, of) =>
        blankValue(resolved(of), !!entries || required.includes(key), (values as Data | undefined)?.[key]),
      )
    );
  };

  /** Only an object that is always there, and allows no further keys, has fields of its own. */
  const blankValue = (shape: Shape, isSure: boolean, given = shape.default): unknown => {
    const { type, additionalProperties } = shape;
    const isOpen = additionalProperties ?? /loose|with/.test(type as string);
    const group = isSure && !isOpen && blankGroup(shape, given);
    if (group) return group;
    // A default of valibot may be a function of what only valibot knows. A default for what JSON has no type for, such as a
    // date, is not the value that JSON makes of it.
    const isTyped = type ?? shape.anyOf ?? shape.oneOf;
    if (isTyped && given !== undefined && typeof given !== 'function') {
      hasDefaults = true;
      return whole(given);
    }
    const isBound = shape.enum ?? shape.const ?? shape.prefixItems;
    const blanks = isSure && !isBound ? { string: '', array: [] } : {};
    return whole(isSure && isNullable(shape) ? null : (blanks as Data)[type as string]);
  };

  const blank = blankGroup(resolved(root));
  if (!blank) throw new TypeError('defineRecord: pass "initial", the schema lists no keys');
  return { blank, hasDefaults };
}
