import type { Reviewer } from "./reviewer.ts";
import type { VerdictRow } from "./verdict.ts";

/** People whose request for changes of the commit stands; `verdicts` = all that were given on its task. */
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
