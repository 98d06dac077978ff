import type { HostTool, RuntimeTools } from "../../domain/ports/agent-runtime.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { askHuman } from "./ask-human.ts";
import { comment } from "./comment.ts";
import { commit } from "./commit.ts";
import { createBlockerIssue } from "./create-blocker-issue.ts";
import { createSubIssue } from "./create-sub-issue.ts";
import type { Tool } from "./define-tool.ts";
import { escalateToHuman } from "./escalate-to-human.ts";
import { checkForEvents, getMyStatus, listFleet } from "./introspection.ts";
import { label } from "./label.ts";
import { openPr } from "./open-pr.ts";
import { proposeLesson } from "./propose-lesson.ts";
import { readIssue, readPr } from "./read-github.ts";
import { finalizePlan, rescopeTask, supersedeTask } from "./replan.ts";
import { reportBlocked } from "./report-blocked.ts";
import { reportComplete, requestReview } from "./report-done.ts";
import { restoreFiles } from "./restore-files.ts";
import { searchIssues } from "./search-issues.ts";
import { submitEvaluation } from "./submit-evaluation.ts";
import { submitPlan } from "./submit-plan.ts";
import { submitTriage } from "./submit-triage.ts";
import { submitVerdict } from "./submit-verdict.ts";
import { writeHandoff } from "./write-handoff.ts";

/** All our tools, in the order in which a model sees them. */
export const TOOLS: readonly Tool[] = [
  submitPlan,
  reportBlocked,
  reportComplete,
  requestReview,
  escalateToHuman,
  askHuman,
  writeHandoff,
  commit,
  restoreFiles,
  openPr,
  comment,
  label,
  createBlockerIssue,
  readIssue,
  readPr,
  searchIssues,
  checkForEvents,
  submitVerdict,
  submitTriage,
  proposeLesson,
  createSubIssue,
  finalizePlan,
  rescopeTask,
  supersedeTask,
  listFleet,
  getMyStatus,
  submitEvaluation,
];

/** Names of our tools; none equals a name of the runtime's own tools. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

/**
 * Returns a function from a tool's name, ours or the runtime's, to its kind; an unknown tool gets the most
 * restricted kind.
 */
export function toolKinds(
  runtimes: ReadonlyMap<string, { readonly tools: RuntimeTools }>,
): EngineContext["toolKind"] {
  const ours = new Map(TOOLS.map(({ name, kind }) => [name, kind]));
  return (toolName, { runtime }) =>
    ours.get(toolName) ?? (runtimes.get(runtime)?.tools.get(toolName)?.kind === "read" ? "read" : "write");
}

/** Returns those of our tools that a role allows, for one agent. Unknown names are ignored. */
export function toolsFor(allowed: readonly string[], given: ToolContext): readonly HostTool[] {
  return TOOLS.filter(({ name }) => allowed.includes(name)).map(
    ({ name, description, parameters, terminal, call }) => ({
      name,
      description,
      parameters,
      terminal,
      call: (args) => call(args, given),
    }),
  );
}
