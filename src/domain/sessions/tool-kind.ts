import { HANDOFF_TOOL } from "./tool-names.ts";

/**
 * What a tool does. `read`: changes nothing. `note`: leaves a note for Flotilla, and changes nothing else. `report`:
 * reports how the piece of work ends. `write`: all others.
 */
export type ToolKind = "read" | "note" | "write" | "report";

/** Returns true for a tool that changes something; a run stays in planning or adapting while only others are called. */
export function changesSomething(kind: ToolKind): boolean {
  return kind === "write" || kind === "report";
}

/** Returns whether a tool may be called in the exchange that wraps up after a limit. */
export function mayWrapUp(toolName: string, kind: ToolKind): boolean {
  return kind === "report" || toolName === "commit";
}

/** Returns whether a tool may be called in the exchange that asks for a handoff. */
export function mayHandOver(toolName: string, kind: ToolKind): boolean {
  return mayWrapUp(toolName, kind) || toolName === HANDOFF_TOOL;
}
