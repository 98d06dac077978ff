import { z } from "zod";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { ToolHost } from "../../domain/ports/tool-host.ts";

/** A tool of ours before it belongs to an agent. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, type object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly terminal: boolean;
  /** Checks the arguments, then acts. Never throws. */
  readonly call: (args: unknown, host: ToolHost, callId: string) => Promise<ToolAnswer>;
}

/** Says nothing of the cause: that is the operator's, and the model may publish whatever it reads. */
const FAILED =
  "The tool failed on Flotilla's side, and it is not certain what was done. Look before you try once more; if it fails again, use escalate_to_human.";

/** A tool from what it is called with and what it then asks of its host. */
export function defineTool<S extends z.ZodObject>(definition: {
  name: string;
  description: string;
  schema: S;
  /** A successful call ends the turn. */
  terminal: boolean;
  run: (args: z.output<S>, host: ToolHost, callId: string) => Promise<ToolAnswer>;
}): Tool {
  const { name, description, schema, terminal, run } = definition;
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, { io: "input" });
  return {
    name,
    description,
    parameters,
    terminal,
    async call(args, host, callId) {
      const parsed = schema.safeParse(given(args));
      if (!parsed.success) {
        const expected = JSON.stringify(parameters);
        return { ok: false, text: `${name} did nothing. ${faults(parsed.error)}. It takes: ${expected}` };
      }
      try {
        return await run(parsed.data, host, callId);
      } catch {
        return { ok: false, text: FAILED };
      }
    },
  };
}

/** Models write null for what they leave out. */
function given(args: unknown): unknown {
  if (args === null || args === undefined) return {};
  if (typeof args !== "object" || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function faults(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ");
}
