import { EVALUATION_TOOL, HANDOFF_TOOL, PLAN_TOOL } from "../../domain/sessions/tool-names.ts";

/** Tools that change nothing: a Run stays in planning or adapting while only these are called. One list, for every model family. */
const READING: ReadonlySet<string> = new Set([
  "view",
  "grep",
  "rg",
  "glob",
  "read_bash",
  "list_bash",
  "report_intent",
  "read_issue",
  "read_pr",
  "check_for_events",
  "list_fleet",
  "get_my_status",
  // Ends planning itself, with the plan.
  PLAN_TOOL,
  HANDOFF_TOOL,
  EVALUATION_TOOL,
]);

export function changes(toolName: string): boolean {
  return !READING.has(toolName);
}

/** Tools whose success ends the exchange: no model call follows. */
export const REPORTS: ReadonlySet<string> = new Set([
  "report_blocked",
  "report_complete",
  "request_review",
  "submit_verdict",
  "escalate_to_human",
  "ask_human",
]);

/** Tools that may still be called in the exchange that wraps up after a limit. */
export const WRAP_UP_TOOLS: ReadonlySet<string> = new Set([...REPORTS, "commit"]);

/** Tools that may be called in the exchange that asks for a handoff. */
export const HANDOFF_TOOLS: ReadonlySet<string> = new Set([...WRAP_UP_TOOLS, HANDOFF_TOOL]);
