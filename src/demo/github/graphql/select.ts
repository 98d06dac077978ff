import type { Field } from "./parse.ts";

/** A value of GraphQL: an object has `__typename`, and a function for each field that takes arguments. */
export type GraphNode = { readonly [field: string]: unknown };
type Resolver = (args: Readonly<Record<string, unknown>>) => unknown;

const isNode = (value: unknown): value is GraphNode => typeof value === "object" && value !== null;
const isResolver = (value: unknown): value is Resolver => typeof value === "function";

/** Returns the fields of an object that are asked for. Throws an `Error` for a field that it does not have. */
export async function select(node: GraphNode, fields: readonly Field[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.on !== null && field.on !== node["__typename"]) continue;
    const value = node[field.name];
    if (value === undefined)
      throw new Error(`Field '${field.name}' doesn't exist on type '${String(node["__typename"])}'`);
    found[field.name] = await selectIn(isResolver(value) ? await value(field.args) : value, field.fields);
  }
  return found;
}

async function selectIn(value: unknown, fields: readonly Field[]): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(async (one) => selectIn(one, fields)));
  return isNode(value) ? select(value, fields) : value;
}
