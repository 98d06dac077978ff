/** A field that is asked for. */
export interface Field {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The type to which an inline fragment restricts it; null for any. */
  readonly on: string | null;
  readonly fields: readonly Field[];
}

interface Operation {
  readonly kind: "query" | "mutation";
  readonly fields: readonly Field[];
}

const TOKENS = /\.\.\.|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|-?\d+|[{}()[\]:!$=]/g;

/**
 * Parses a document of one named operation with inline fragments: no aliases, directives, defaults or named fragments. Throws an
 * `Error` that says what it does not understand.
 */
export function parseOperation(text: string, variables: Readonly<Record<string, unknown>>): Operation {
  const tokens = text.match(TOKENS) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const next = () => tokens[at++] ?? "";
  const expect = (wanted: string): void => {
    const found = next();
    if (found !== wanted) throw new Error(`Parse error on "${found}": expected "${wanted}"`);
  };

  const value = (): unknown => {
    const token = next();
    if (token === "$") return variables[next()];
    if (token === "[") return list();
    if (token === "{") return pairs("}");
    if (token.startsWith('"')) return JSON.parse(token) as unknown;
    if (/^-?\d+$/.test(token)) return Number(token);
    if (token === "true" || token === "false") return token === "true";
    if (token === "null") return null;
    if (/^\w+$/.test(token)) return token;
    throw new Error(`Parse error on "${token}": expected a value`);
  };
  const list = (): unknown[] => {
    const values: unknown[] = [];
    while (peek() !== "]") values.push(value());
    expect("]");
    return values;
  };
  const pairs = (end: string): Record<string, unknown> => {
    const found: Record<string, unknown> = {};
    while (peek() !== end) {
      const name = next();
      expect(":");
      found[name] = value();
    }
    expect(end);
    return found;
  };
  const selection = (on: string | null): Field[] => {
    expect("{");
    const fields: Field[] = [];
    while (peek() !== "}") {
      if (peek() === "...") {
        next();
        expect("on");
        fields.push(...selection(next()));
        continue;
      }
      const name = next();
      if (!/^\w+$/.test(name)) throw new Error(`Parse error on "${name}": expected a field`);
      let args: Readonly<Record<string, unknown>> = {};
      if (peek() === "(") {
        next();
        args = pairs(")");
      }
      fields.push({ name, args, on, fields: peek() === "{" ? selection(null) : [] });
    }
    expect("}");
    return fields;
  };

  const kind = next();
  if (kind !== "query" && kind !== "mutation")
    throw new Error(`Parse error on "${kind}": expected query or mutation`);
  // The declarations of variables; their types are not checked here.
  while (peek() !== "{" && peek() !== "") next();
  return { kind, fields: selection(null) };
}
