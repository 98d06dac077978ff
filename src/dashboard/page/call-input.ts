/** Reads the stored arguments of tool calls, which are JSON, possibly cut off. */

/** Returns the fields of the arguments; an empty record for arguments that cannot be read. */
function fieldsOf(input: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the first of these fields that is a text or a number; empty where there is none. */
export function textAt(input: string, ...names: readonly string[]): string {
  const fields = fieldsOf(input);
  for (const name of names) {
    const value = fields[name] ?? cutField(input, name);
    if (typeof value === "string") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

/** Returns a text of arguments that are cut off behind it, or within it. */
function cutField(input: string, name: string): string | undefined {
  const found = new RegExp(`"${name}":\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(input)?.[1];
  if (found === undefined) return undefined;
  try {
    return String(JSON.parse(`"${found}"`));
  } catch {
    return found;
  }
}

/** Returns the texts of a list; those fields of its elements where the elements are records. */
export function listAt(input: string, name: string, field: string): readonly string[] {
  const value = fieldsOf(input)[name];
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    if (typeof each === "string") return [each];
    const inner = isRecord(each) ? each[field] : undefined;
    return typeof inner === "string" ? [inner] : [];
  });
}

/** Returns the arguments as lines of `name: value`, or the raw text where they cannot be read. */
export function readableInput(input: string): string {
  const fields = Object.entries(fieldsOf(input));
  if (fields.length === 0) return input === "{}" ? "" : input;
  return fields.map(([name, value]) => `${name}: ${shown(value)}`).join("\n");
}

function shown(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return value.includes("\n") ? `\n${value.replaceAll(/^/gm, "  ")}` : value;
}
