import { z } from "zod";

/**
 * How a repository's own file may change a key: `lower` or `raise` a number, `switch_on` or `switch_off`, `add` to a
 * list, `replace` the value, `replace_unless_off`: replace it where the operator has not switched it off, `replace_each`:
 * add names to a mapping and replace values of names, or `choose` a list from what the operator permits
 * (`permittedSetup`). A key without a direction is the operator's alone.
 */
export type Direction =
  | "lower"
  | "raise"
  | "switch_on"
  | "switch_off"
  | "add"
  | "replace"
  | "replace_unless_off"
  | "replace_each"
  | "choose";

interface Entry<T> {
  /** The key in the configuration file. */
  readonly key: string;
  /** Without a default. */
  readonly type: z.ZodType<T>;
  /** With its default. */
  readonly schema: z.ZodType<T>;
}

/** A key with a value of its own. */
export interface Key<T> extends Entry<T> {
  readonly repository: Direction | undefined;
}

/** A key that holds others. */
export interface Section<K extends Keys> extends Entry<Values<K>> {
  readonly keys: K;
}

/** Keys of the configuration file by the names of their values in the code. */
export interface Keys {
  readonly [name: string]: Key<unknown> | Section<Keys>;
}

/** The values of keys, by their names in the code. */
export type Values<K extends Keys> = {
  readonly [Name in keyof K]: K[Name] extends Entry<infer T> ? T : never;
};

type Readable<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

/** Without a default the key is required, unless its type is optional. */
interface About<T extends z.ZodType> {
  /** For people. */
  readonly description: string;
  readonly default?: z.input<T>;
  /** What the example file shows instead of the default. */
  readonly example?: z.input<T>;
  readonly repository?: Direction;
}

export function setting<T extends z.ZodType>(
  name: string,
  type: T,
  about: About<T>,
): Key<Readable<z.output<T>>>;
export function setting(name: string, bare: z.ZodType, about: About<z.ZodType>): Key<unknown> {
  const { description, example, repository } = about;
  const type = bare.meta({ description, ...(example === undefined ? {} : { example }) });
  const schema = about.default === undefined ? type : type.prefault(about.default);
  return { key: name, type, schema, repository };
}

/** Checks the values together. Paths of its issues are keys of the file. */
type Check<K extends Keys> = (values: Values<K>, context: z.RefinementCtx) => void;

export function section<K extends Keys>(
  name: string,
  description: string,
  keys: K,
  check?: Check<K>,
): Section<K>;
export function section(name: string, description: string, keys: Keys, check?: Check<Keys>): Section<Keys> {
  const type = object(keys, check).describe(description);
  return { key: name, keys, type, schema: type.prefault({}) };
}

/** Parses a mapping of these keys and no others. */
export function object<K extends Keys>(keys: K, check?: Check<K>): z.ZodType<Values<K>>;
export function object(keys: Keys, check?: Check<Keys>): z.ZodType<Values<Keys>> {
  return mapping(keys, ({ schema }) => schema, check);
}

/** Parses a mapping of some of these keys; an absent key has no value, whatever its default. */
export function sparse<K extends Keys>(keys: K): z.ZodType<Partial<Values<K>>>;
export function sparse(keys: Keys): z.ZodType<Values<Keys>> {
  return mapping(keys, ({ type }) => type.optional());
}

/** Accepts the keys of the file only; the result has the names of the code. */
function mapping(
  keys: Keys,
  schemaOf: (entry: Entry<unknown>) => z.ZodType,
  check: Check<Keys> = () => {},
): z.ZodType<Values<Keys>> {
  const entries = Object.entries(keys);
  const named = (written: Readonly<Record<string, unknown>>): Values<Keys> =>
    Object.fromEntries(
      entries
        .filter(([, { key: word }]) => Object.hasOwn(written, word))
        .map(([name, { key: word }]) => [name, written[word]]),
    );
  return z
    .strictObject(Object.fromEntries(entries.map(([, entry]) => [entry.key, schemaOf(entry)])))
    .superRefine((written, context) => check(named(written), context))
    .transform(named);
}
