import { quote } from "../status/comments.ts";

/** Returns the text of an issue that a planner opened as a part of its own; `body` is the planner's. */
export function subIssueBody(body: string, by: { readonly role: string; readonly issue: number }): string {
  return [
    body.trim(),
    "",
    "---",
    `Opened by **${by.role}** as a part of #${by.issue}. It is a draft until the plan is final, and begins then in its order; \`/flotilla start\` begins it alone.`,
  ].join("\n");
}

/** Returns the comment on an issue that another one replaces. */
export function supersededComment(
  by: { readonly role: string; readonly issue: number },
  reason: string,
): string {
  return `**${by.role}** gives this up: #${by.issue} takes its place.\n\n${quote(reason)}`;
}
