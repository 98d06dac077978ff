import { ApiError } from "./answer.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

function wrong(field: string, wanted: string): ApiError {
  return new ApiError(422, `Invalid request.\n\nFor 'properties/${field}', the value is not ${wanted}.`);
}

/** Reads a required text that is not empty. */
export function requiredText(body: JsonObject, field: string): string {
  const value = body[field];
  if (value === undefined) throw new ApiError(422, `Invalid request.\n\n"${field}" wasn't supplied.`);
  if (typeof value !== "string") throw wrong(field, "a string");
  if (value.trim() === "") {
    throw new ApiError(422, "Validation Failed", {
      errors: [{ resource: "Request", code: "missing_field", field }],
    });
  }
  return value;
}

/** Reads an optional text: null if the caller sent null, undefined if it sent none. */
export function optionalText(body: JsonObject, field: string): string | null | undefined {
  const value = body[field];
  if (value === undefined || value === null || typeof value === "string") return value;
  throw wrong(field, "a string");
}

export function requiredInteger(body: JsonObject, field: string): number {
  const value = body[field];
  if (value === undefined) throw new ApiError(422, `Invalid request.\n\n"${field}" wasn't supplied.`);
  if (typeof value !== "number" || !Number.isInteger(value)) throw wrong(field, "an integer");
  return value;
}

export function optionalInteger(body: JsonObject, field: string): number | undefined {
  return body[field] === undefined ? undefined : requiredInteger(body, field);
}

export function optionalBoolean(body: JsonObject, field: string): boolean | undefined {
  const value = body[field];
  if (value === undefined || typeof value === "boolean") return value;
  throw wrong(field, "a boolean");
}

export function optionalTexts(body: JsonObject, field: string): readonly string[] | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string"))
    throw wrong(field, "an array of strings");
  return value;
}

/** Reads one of the given words; undefined if the field is missing. */
export function optionalChoice<T extends string>(
  body: JsonObject,
  field: string,
  words: readonly T[],
): T | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined) throw wrong(field, `one of ${words.join(", ")}`);
  return found;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
