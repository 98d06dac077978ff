import { untrusted } from "../conversation/untrusted.ts";
import { fenced } from "../messages/format.ts";
import type { ApprovalRow } from "../questions/approval.ts";
import { personNamed } from "../status/person-named.ts";

/** The instruction with the issue for an agent that must plan first. */
export const PLAN_FIRST =
  "A plan comes first: read what you need, then call submit_plan and stop. Change nothing until a person has approved the plan; you are woken with their answer.";

/** Returns the instruction for a conversation that begins after the plan was approved. */
export function workByPlan({ input, decidedBy }: Pick<ApprovalRow, "input" | "decidedBy">): string {
  return `Work according to this plan, which ${personNamed(String(decidedBy))} approved:\n\n${untrusted(fenced(input))}`;
}
