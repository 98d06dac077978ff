import type { Capability, RuntimeTool } from "../../../domain/ports/agent-runtime.ts";

const read = { kind: "read", capability: "read", waitMs } as const;
const edit = { kind: "edit", capability: "edit", paths: pathsOf } as const;
const shell = { capability: "shell", waitMs } as const;
/** Tools that no agent gets. */
const none = { kind: "other", capability: null } as const;

/** Every tool that the runtime itself has with some model; ours must not use these names. */
export const builtinTools: ReadonlyMap<string, RuntimeTool> = new Map<string, RuntimeTool>([
  ["view", read],
  ["grep", read],
  ["rg", read],
  ["glob", read],
  ["create", edit],
  ["edit", edit],
  ["apply_patch", edit],
  ["bash", { ...shell, kind: "shell", command: (args) => textAt(args, "command") }],
  ["read_bash", { ...shell, kind: "read" }],
  ["stop_bash", { ...shell, kind: "other" }],
  ["list_bash", { ...shell, kind: "read" }],
  ["task", none],
  ["read_agent", none],
  ["list_agents", none],
  ["write_agent", none],
  ["web_fetch", { kind: "network", capability: null }],
  ["skill", none],
  ["ask_user", none],
  ["exit_plan_mode", none],
  ["report_intent", { kind: "read", capability: null }],
  ["sql", none],
  ["store_memory", none],
  ["tool_search_tool", none],
]);

/**
 * Tools that no agent gets: sub-agents, whose calls escape our limits, and the runtime's own network access.
 */
export const refusedTools: readonly string[] = [
  "task",
  "read_agent",
  "list_agents",
  "write_agent",
  "web_fetch",
  "skill",
];

/** Returns the names of the runtime's tools that these capabilities allow. */
export function builtinToolsFor(capabilities: readonly Capability[]): string[] {
  return capabilities.flatMap((wanted) =>
    [...builtinTools].filter(([, { capability }]) => capability === wanted).map(([name]) => name),
  );
}

/** Returns the paths that a file tool names; a patch names them in its header lines. */
function pathsOf(args: unknown): readonly string[] {
  const patch =
    typeof args === "string" ? args : `${textAt(args, "input") ?? ""}\n${textAt(args, "patch") ?? ""}`;
  const named = [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): .+$/gm)].map(([line]) =>
    line.replace(/^[^:]*: */, "").trim(),
  );
  const path = textAt(args, "path");
  return path === null || path === "" ? named : [...named, path];
}

/** Returns the longest time that the call may wait. */
function waitMs(args: unknown): number {
  return Math.max(...["initial_wait", "delay", "timeout"].map((key) => secondsAt(args, key))) * 1000;
}

function secondsAt(args: unknown, key: string): number {
  const value = valueAt(args, key);
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function textAt(args: unknown, key: string): string | null {
  const value = valueAt(args, key);
  return typeof value === "string" ? value : null;
}

function valueAt(args: unknown, key: string): unknown {
  if (typeof args !== "object" || args === null || !Object.hasOwn(args, key)) return undefined;
  return Reflect.get(args, key);
}
