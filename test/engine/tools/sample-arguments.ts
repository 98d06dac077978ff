/** What a tool's JSON Schema says of an argument. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
}

/** Takes only what its pattern or length allows: a number, a login, a commit. */
export const BOUND: Readonly<Record<string, string>> = {
  "report_blocked.blocker_issue": "acme/lib#12",
  "ask_human.deadline": "4h",
  "ask_human.who": "@bob",
  "submit_verdict.commit": "a".repeat(40),
};

/** Arguments that the tool `path` takes: every property is there, texts are `text`, and of alternatives the `choice`th. */
export function sampleOf(schema: Schema, path: string, text: string, choice = 0): unknown {
  const inner = (one: Schema = {}, at = path) => sampleOf(one, at, text, choice);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return inner(schema.anyOf[choice % schema.anyOf.length]);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [name, inner(one, `${path}.${name}`)]),
      );
    case "array":
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => inner(schema.items));
    case "string":
      return BOUND[path] ?? text;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return Math.max(schema.minimum ?? 0, 0);
  }
}

/** Paths of all arguments that are texts. */
export function textsOf(schema: Schema, path: string): readonly string[] {
  if (schema.type === "string") return schema.enum === undefined ? [path] : [];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : textsOf(schema.items, path)),
    ...(schema.anyOf ?? []).flatMap((inner) => textsOf(inner, path)),
  ];
}
