import { readFileSync } from "node:fs";
import { type Field, parseOperation } from "../../src/demo/github/graphql/parse.ts";

interface Described {
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
}
type Schema = Readonly<
  Record<
    string,
    { readonly fields: Readonly<Record<string, Described>>; readonly possible: readonly string[] }
  >
>;

const schema: Schema = JSON.parse(
  readFileSync(new URL("../fixtures/github/graphql.json", import.meta.url), "utf8"),
);
const plain = (type: string) => type.replaceAll(/[[\]!]/g, "");

/** What is wrong with an operation by GitHub's schema: unknown fields and arguments, missing arguments. Empty when nothing. */
export function checkGraphRequest(body: unknown): string[] {
  const { query, variables } = Object(body);
  try {
    const { kind, fields } = parseOperation(String(query), Object(variables ?? {}));
    return faultsOf(kind === "query" ? "Query" : "Mutation", fields);
  } catch (error) {
    return [String(error)];
  }
}

function faultsOf(type: string, fields: readonly Field[]): string[] {
  return fields.flatMap(({ name, args, on, fields: inner }) => {
    if (name === "__typename") return [];
    const of = on ?? type;
    if (on !== null && on !== type && schema[type]?.possible.includes(on) !== true)
      return [`${on} is no ${type}`];
    const field = schema[of]?.fields[name];
    if (field === undefined) return [`${of}.${name} is not described`];
    return [
      ...argumentFaults(`${of}.${name}`, field.args, args),
      ...(inner.length === 0 ? [] : faultsOf(plain(field.type), inner)),
    ];
  });
}

function argumentFaults(
  where: string,
  described: Readonly<Record<string, string>>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  const unknown = Object.keys(given).filter((name) => !(name in described));
  const missing = Object.entries(described).filter(
    ([name, type]) => type.endsWith("!") && (given[name] ?? null) === null,
  );
  const inner = Object.entries(described).flatMap(([name, type]) => {
    const input = schema[plain(type)]?.fields;
    if (input === undefined || given[name] === undefined) return [];
    const types = Object.fromEntries(Object.entries(input).map(([key, { type: one }]) => [key, one]));
    return argumentFaults(`${where}(${name})`, types, Object(given[name]));
  });
  return [
    ...unknown.map((name) => `${where}: the argument ${name} is not described`),
    ...missing.map(([name]) => `${where}: the argument ${name} is missing`),
    ...inner,
  ];
}

/** What is wrong with an answer by GitHub's schema: fields that were asked for and are missing, or null where they may not be. */
export function checkGraphAnswer(request: unknown, answer: unknown): string[] {
  const { query, variables } = Object(request);
  const { data, errors } = Object(answer);
  if (data === null || data === undefined) return Array.isArray(errors) ? [] : ["neither data nor errors"];
  const { kind, fields } = parseOperation(String(query), Object(variables ?? {}));
  return answerFaults(kind === "query" ? "Query" : "Mutation", fields, data);
}

function answerFaults(type: string, fields: readonly Field[], value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => answerFaults(type, fields, one));
  // Says which fragments are of this object, where it is asked for.
  const own: unknown = Object(value)["__typename"];
  return fields.flatMap(({ name, on, fields: inner }) => {
    if (on !== null && own !== undefined && own !== on) return [];
    const described = schema[on ?? type]?.fields[name];
    if (described === undefined) return [];
    const found: unknown = Object(value)[name];
    if (found === null || found === undefined)
      return described.type.endsWith("!") || found === undefined ? [`${on ?? type}.${name} is ${found}`] : [];
    return inner.length === 0 ? [] : answerFaults(plain(described.type), inner, found);
  });
}
