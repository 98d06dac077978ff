import { z } from "zod";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Speaker } from "../../domain/safe-text/sanitizers.ts";
import type { ToolKind } from "../../domain/sessions/tool-kind.ts";
import type { ToolContext } from "../sessions/tool-context.ts";

/** True for a text type, but not for a union of fixed words. */
type HoldsText<T> = T extends string
  ? string extends T
    ? true
    : never
  : T extends readonly (infer Element)[]
    ? HoldsText<Element>
    : T extends object
      ? HoldsText<T[keyof T]>
      : never;

/** One function per argument that is or contains a text; omitting one does not compile. */
type Sanitizers<Args> = {
  readonly [Name in keyof Args as [HoldsText<Args[Name]>] extends [never] ? never : Name]-?: (
    value: Exclude<Args[Name], undefined>,
    speaker: Speaker,
  ) => Exclude<Args[Name], undefined>;
};

interface Definition<Schema extends z.ZodObject> {
  readonly name: string;
  /** Everything that the model reads about the tool. */
  readonly description: string;
  /** The tool's purpose, for authors of roles; shown in docs/roles.md. */
  readonly purpose: string;
  readonly schema: Schema;
  readonly kind: ToolKind;
  /** A successful call ends the turn. */
  readonly terminal: boolean;
  /** Applied before a model's arguments are judged, stored, counted or published. See `sanitizers`. */
  readonly sanitize: Sanitizers<z.output<Schema>>;
  readonly run: (args: z.output<Schema>, given: ToolContext) => Promise<ToolAnswer>;
}

/** One of our tools, not yet bound to an agent. */
export interface Tool extends Pick<Definition<z.ZodObject>, "name" | "description" | "purpose" | "kind"> {
  readonly terminal: boolean;
  /** JSON Schema of the arguments, type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Checks the arguments and sanitizes their texts. */
  readonly read: (
    args: unknown,
    speaker: Speaker,
  ) => { readonly args: Readonly<Record<string, unknown>> } | { readonly fault: string };
  /** Reads the arguments and runs the tool. Never throws. */
  readonly call: (args: unknown, given: ToolContext) => Promise<ToolAnswer>;
}

/** Hides the cause: it is for the operator, and the model may publish whatever it reads. */
const FAILED =
  "The tool failed on Flotilla's side, and it is not certain what was done. Look before you try once more; if it fails again, use escalate_to_human.";

export const toolSuccess = (text: string): ToolAnswer => ({ ok: true, text });
export const toolRefusal = (text: string): ToolAnswer => ({ ok: false, text });

export function defineTool<Schema extends z.ZodObject>(definition: Definition<Schema>): Tool {
  const { name, description, purpose, schema, kind, terminal, sanitize, run } = definition;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  const read = (args: unknown, speaker: Speaker) => {
    const parsed = schema.safeParse(given(args));
    if (parsed.success) {
      const safe = sanitized(parsed.data, sanitize, speaker);
      const empty = Object.keys(safe).find((key) =>
        isEmptied(Reflect.get(parsed.data, key), Reflect.get(safe, key)),
      );
      if (empty === undefined) return { args: safe };
      return { fault: `${name} did nothing. ${empty}: holds nothing that can be seen; write a text.` };
    }
    const expected = JSON.stringify(parameters);
    return { fault: `${name} did nothing. ${faults(parsed.error)}. It takes: ${expected}` };
  };
  return {
    name,
    description,
    purpose,
    parameters,
    kind,
    terminal,
    read,
    async call(args, tool) {
      const found = read(args, { site: tool.context.site, issue: tool.agent.issue });
      if ("fault" in found) return toolRefusal(found.fault);
      try {
        return await run(found.args, tool);
      } catch {
        return toolRefusal(FAILED);
      }
    },
  };
}

/** Models write null for arguments that they leave out. */
function given(args: unknown): unknown {
  if (args === null || args === undefined) return {};
  if (typeof args !== "object" || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** Uses reflection, because the compiler cannot match each function of a generic type with its argument. */
function sanitized<Args extends object>(args: Args, sanitize: Sanitizers<Args>, speaker: Speaker): Args {
  const safe = { ...args };
  for (const name of Object.keys(sanitize)) {
    const value: unknown = Reflect.get(args, name);
    const sanitizer: unknown = Reflect.get(sanitize, name);
    if (value === undefined) continue;
    if (typeof sanitizer !== "function") throw new TypeError(`${name} has no sanitizer`);
    Reflect.set(safe, name, sanitizer(value, speaker));
  }
  return safe;
}

/** A character that prints something: an accent alone is hardly seen, and U+2800 is a blank. */
const PRINTS = /[^\s\p{M}\u2800]/u;

/** Returns true where a text, or one inside a list or object, had characters and has no visible one left. */
function isEmptied(before: unknown, safe: unknown): boolean {
  if (typeof safe === "string") return before !== "" && !PRINTS.test(safe);
  if (typeof safe !== "object" || safe === null || typeof before !== "object" || before === null)
    return false;
  return Object.entries(safe).some(([key, value]) => isEmptied(Reflect.get(before, key), value));
}

function faults(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ");
}
