import type { Reviewer } from "./reviewer.ts";
import type { VerdictRow } from "./verdict.ts";

/** Returns the people whose request for changes of the commit counts; `verdicts` = all verdicts on its task. */
export function rejectedBy(
  verdicts: readonly Pick<VerdictRow, "agentId" | "state" | "commit" | "approves" | "reviewer" | "account">[],
  commit: string | null,
): readonly Reviewer[] {
  return verdicts
    .filter(
      (one) => one.agentId === null && one.state === "current" && !one.approves && one.commit === commit,
    )
    .map(({ reviewer, account }) => ({ reviewer, account }));
}
