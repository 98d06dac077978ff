/** Returns the text of an issue that an agent opened because its own issue waits for it; `body` is the agent's text. */
export function blockerIssueBody(
  body: string,
  by: { readonly role: string; readonly issue: number },
): string {
  return [
    body.trim(),
    "",
    "---",
    `Opened by **${by.role}**, which works on #${by.issue} and waits until this issue is closed. Nobody works on this issue yet: label it, or say \`/flotilla start\`.`,
  ].join("\n");
}
