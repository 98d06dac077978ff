import { ENCODINGS } from "./encodings.ts";

/** Returns the secrets that a text contains, in full or in part, with their encodings. */
export function leaksIn(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    ENCODINGS.filter(({ encode }) => text.includes(encode(secret))).map((one) => `${name} ${one.name}`),
  );
}

/** Returns a text that contains the secret in every encoding, as a worst-case agent would write it. */
export function leakOf(secret: string): string {
  return ENCODINGS.map(({ encode }) => encode(secret)).join("\n");
}

/**
 * Returns everything inside a value as one text: also maps, sets, objects without a prototype, and objects reached
 * twice.
 */
export function everythingIn(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null) return String(value);
  if (seen.has(value)) return "";
  seen.add(value);
  const parts = value instanceof Map ? [...value.entries()].flat() : value instanceof Set ? [...value] : [];
  return [...parts, ...Object.values(value)].map((one: unknown) => everythingIn(one, seen)).join("\n");
}
