import type { ScriptInput } from "../../src/demo/model/script.ts";

export type Conversation = ScriptInput["conversations"][number];
export type Step = Conversation["steps"][number];

/** What the agent of the issue says, in order; a step with `after` answers a message of that kind. */
export function on(issue: number, ...steps: readonly Step[]): Conversation {
  return { match: `Work on issue #${issue} of`, steps: [...steps] };
}

/** The same for a later attempt; it must stand before the first one's. */
export function onAttempt(issue: number, attempt: number, ...steps: readonly Step[]): Conversation {
  return { match: `Work on issue #${issue} of.*This is attempt ${attempt}`, steps: [...steps] };
}

export function after(pattern: string, step: Step): Step {
  return { ...step, after: pattern };
}

export function call(tool: string, args: Record<string, unknown> = {}): Step {
  return { call: [{ tool, args }] };
}

/** Several calls in one turn. */
export function together(...steps: readonly Step[]): Step {
  return { call: steps.flatMap((step) => step.call ?? []) };
}

export const say = (text: string): Step => ({ say: text });
/** The runtime's own tool; the rig writes the file, or deletes it for null. */
export const edit = (path = "feature.ts", content: string | null = "export {};"): Step =>
  call("edit", { path, content });
export const commit: Step = call("commit", { message: "Build it" });
export const openPr: Step = call("open_pr", { title: "Build it", body: "As asked." });
export const complete: Step = call("report_complete", { summary: "Built and tested." });
export const review: Step = call("request_review", { summary: "Built and tested: please look." });
export const blocked = (issue: number): Step =>
  call("report_blocked", { blocker_issue: issue, reason: `needs what #${issue} makes` });
export const replan = (reason = "These are two pieces of work."): Step =>
  call("report_blocked", { cause: "replanning", reason });
export const escalate: Step = call("escalate_to_human", {
  reason: "Two specs contradict each other",
  category: "decision",
  question: "Which one holds?",
});
/** Takes its time: until the clock has moved that far. */
export const slowly = (ms: number, step: Step): Step => ({ ...step, delayMs: ms });

/** The whole of a piece of work. */
export const work: readonly Step[] = [edit(), commit, openPr, complete];
