import type { Capability, RuntimeTool, RuntimeTools } from "../../../../domain/ports/agent-runtime.ts";

/** Looks at files. */
export const reads: RuntimeTool = { kind: "read", capability: "read" };

/** Tools that no agent gets, and that are denied where one calls them all the same. */
export const refused: RuntimeTool = { kind: "other", capability: null };

/** Changes the file that the argument names. */
export function edits(argument: string): RuntimeTool {
  return {
    kind: "edit",
    capability: "edit",
    paths: (args) => {
      const path = textAt(args, argument);
      return path === null || path === "" ? [] : [path];
    },
  };
}

/** Runs the command line in the first of these arguments that is there; `waitMs` says how long a call may wait for it. */
export function runs(
  argument: string | readonly string[],
  waitMs: (args: unknown) => number = () => 0,
): RuntimeTool {
  const command = (args: unknown): string | null =>
    [argument].flat().reduce<string | null>((found, name) => found ?? textAt(args, name), null);
  return { kind: "shell", capability: "shell", command, waitMs };
}

/** Looks after what a shell has left running. */
export const tendsShells: RuntimeTool = { kind: "read", capability: "shell" };

/** Returns the names of the agent's own tools that these capabilities allow, or those that they do not. */
export function namesOf(
  tools: RuntimeTools,
  capabilities: readonly Capability[],
  allowed: boolean,
): string[] {
  return [...tools].flatMap(([name, { capability }]) =>
    (capability !== null && capabilities.includes(capability)) === allowed ? name : [],
  );
}

/** Returns what removes the agent's prefix from the name of one of our tools, and leaves its own names alone. */
export function withoutPrefix(prefix: string): (raw: string) => string {
  return (raw) => (raw.startsWith(prefix) ? raw.slice(prefix.length) : raw);
}

/** Milliseconds in an argument; 0 where it has none. */
export function millisecondsAt(args: unknown, argument: string): number {
  const value = valueAt(args, argument);
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function textAt(args: unknown, argument: string): string | null {
  const value = valueAt(args, argument);
  return typeof value === "string" ? value : null;
}

function valueAt(args: unknown, argument: string): unknown {
  if (typeof args !== "object" || args === null || !Object.hasOwn(args, argument)) return undefined;
  return Reflect.get(args, argument);
}
