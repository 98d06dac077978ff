import type { Touch } from "./touch.ts";

/**
 * What a person did for the issue's work on the dashboard or a terminal. `act` is the asker's name of the request, so that
 * the same one counts once.
 */
export function operatorTouch(
  { repositoryId, issue }: { readonly repositoryId: number; readonly issue: number },
  kind: "comment" | "command" | "approval",
  { act, at }: { readonly act: string; readonly at: number },
): Touch {
  return { repositoryId, issue, kind, key: `operator:${act}`, at };
}
