import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { default as addFormats } from "ajv-formats";

export type JsonSchema = { readonly [key: string]: unknown };

/** A validator over schemas that refer to each other as `#/components/schemas/NAME`. Formats count. */
export function createValidator(schemas: JsonSchema): (schema: JsonSchema) => ValidateFunction {
  // The last two make compiling a third faster; each schema is used only a few times.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    logger: false,
    code: { optimize: false },
    inlineRefs: false,
  });
  addFormats.default(ajv);
  // The addresses of bots have brackets ("1+name[bot]@..."): GitHub shows them where it describes an e-mail address.
  ajv.addFormat("email", /^[^@\s]+@[^@\s]+$/);
  const components = {
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)])),
  };
  ajv.addSchema({ $id: "github", components });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => {
    const found = compiled.get(schema) ?? ajv.compile({ ...pointed(plain(schema)) });
    compiled.set(schema, found);
    return found;
  };
}

/**
 * OpenAPI 3.0's `nullable` in JSON Schema's words; and `oneOf` as `anyOf`, since GitHub's alternatives overlap: a plain
 * error body is also a rule violation, which has all its fields optional.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const all: JsonSchema = Object.fromEntries(Object.entries(value));
  const { nullable, oneOf, ...other } = all;
  const rest = Array.isArray(oneOf) ? { ...other, anyOf: oneOf } : other;
  const schema = Object.fromEntries(Object.entries(rest).map(([key, entry]) => [key, plain(entry)]));
  return nullable === true ? { anyOf: [{ type: "null" }, schema] } : schema;
}

/** Lets references find the shared components. */
function pointed(value: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/components/', '"github#/components/'));
}
