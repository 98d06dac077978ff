import { HANDOFF_TOOL } from "./tool-names.ts";

/**
 * What a tool does. `read`: changes nothing. `note`: leaves word for Flotilla, and changes nothing else.
 * `report`: says how the piece of work ends. `write`: all others.
 */
export type ToolKind = "read" | "note" | "write" | "report";

/** A run stays in planning or adapting while only tools are called that change nothing. */
export function changesSomething(kind: ToolKind): boolean {
  return kind === "write" || kind === "report";
}

/** What may still be called in the exchange that wraps up after a limit. */
export function mayWrapUp(toolName: string, kind: ToolKind): boolean {
  return kind === "report" || toolName === "commit";
}

/** What may be called in the exchange that asks for a handoff. */
export function mayHandOver(toolName: string, kind: ToolKind): boolean {
  return mayWrapUp(toolName, kind) || toolName === HANDOFF_TOOL;
}
