import type { Touch } from "./touch.ts";

/**
 * Returns a person's act for the issue's work on the dashboard or a terminal. `act` is the caller's id of the request,
 * so that a repeated request counts once.
 */
export function operatorTouch(
  { repositoryId, issue }: { readonly repositoryId: number; readonly issue: number },
  kind: "comment" | "command" | "approval",
  { act, at }: { readonly act: string; readonly at: number },
): Touch {
  return { repositoryId, issue, kind, key: `operator:${act}`, at };
}
