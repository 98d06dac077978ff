import { fenced } from "../messages/format.ts";
import type { ApprovalRow } from "../questions/approval.ts";
import { personNamed } from "../status/person-named.ts";

const BOX = "Approve this plan";

/** Returns the key by which a plan's comment is found, and recognized when it is edited. */
export function planKey(id: number): string {
  return `plan-${id}`;
}

/** Returns the present text of a plan's one comment: how a person decides about it, or who did and how. */
export function planComment(role: string, plan: ApprovalRow): string {
  return [...head(role, plan), "", fenced(plan.input), ...(plan.state === "asked" ? HOW : [])].join("\n");
}

function head(role: string, { state, decidedBy, reason }: ApprovalRow): readonly string[] {
  switch (state) {
    case "asked":
      return [`**${role}** has a plan. It changes nothing until a person approves the plan.`];
    case "denied":
      return [`**Sent back by ${personNamed(String(decidedBy))}**: ${reason}. ${role} makes a new plan.`];
    case "granted":
    case "used":
      return [`**Approved by ${personNamed(String(decidedBy))}**: ${role} works according to this plan.`];
  }
}

const HOW: readonly string[] = [
  "",
  `- [ ] ${BOX}`,
  "",
  "To start the work, tick the box or say `/flotilla approve`. To change the plan, edit it above: your edit approves it as you wrote it. `/flotilla deny <reason>` sends it back with that reason, `/flotilla cancel` ends the agent.",
];

/**
 * Reads the plan from its comment after a person's edit, and whether the box is ticked. Null where no plan can be read.
 */
export function readPlanComment(body: string): { readonly plan: string; readonly ticked: boolean } | null {
  const lines = body.replaceAll(/\r\n?/g, "\n").split("\n");
  const begin = lines.findIndex((line) => /^`{3,}$/.test(line));
  const fence = lines[begin];
  // The last one: the edited plan may itself contain such a line.
  const end = fence === undefined ? -1 : lines.lastIndexOf(fence);
  if (end <= begin) return null;
  const plan = lines
    .slice(begin + 1, end)
    .join("\n")
    .trim();
  const ticked = lines
    .slice(end + 1)
    .some((line) => line.trim().toLowerCase() === `- [x] ${BOX.toLowerCase()}`);
  return plan === "" ? null : { plan, ticked };
}

/** Returns the section of a pull request's text that shows by which plan it was made. */
export function approvedPlan({ input, decidedBy }: Pick<ApprovalRow, "input" | "decidedBy">): string {
  return [
    "<details>",
    `<summary>The plan, approved by ${decidedBy}</summary>`,
    "",
    fenced(input),
    "",
    "</details>",
  ].join("\n");
}
