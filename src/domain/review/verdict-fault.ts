import { oneLine } from "../messages/format.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { citedAmong } from "./evidence-cited.ts";
import type { ReviewLeaseRecord } from "./review-lease.ts";
import type { Reviewer } from "./reviewer.ts";
import type { GivenVerdict } from "./verdict.ts";

/** The facts that a verdict is checked against, as they are now. */
export interface VerdictFacts {
  readonly agentId: number;
  readonly task: Pick<TaskRecord, "state" | "reviewCommit"> | null;
  readonly lease: Pick<ReviewLeaseRecord, "state" | "holderId"> | null;
  /** People whose request for changes of the commit under review counts. */
  readonly rejectedBy: readonly Reviewer[];
  /** What the reviewer itself ran, oldest first; see `ranTexts`. */
  readonly ran: readonly string[];
}

/** Characters of reasons that a rejection without comments needs at least. */
const LEAST_REASON = 20;

const TOLD = 5;

/** Returns why a verdict is refused, with what to do, for the model; null when it is accepted. */
export function verdictFault(
  given: Omit<GivenVerdict, "comments"> & { readonly comments: readonly unknown[] },
  facts: VerdictFacts,
): string | null {
  const { agentId, task, lease, ran } = facts;
  if (task?.state !== "READY_FOR_REVIEW" || lease?.state !== "HELD" || lease.holderId !== agentId)
    return "This review is not yours any more: somebody else gave the verdict, or the work was taken back. Nothing is left to do.";
  if (given.commit !== task.reviewCommit)
    return `Under review is ${task.reviewCommit}, your verdict names ${given.commit}. Say it of that commit, in full.`;
  if (given.verdict === "approve" && facts.rejectedBy.length > 0)
    return `${facts.rejectedBy.map(({ reviewer }) => `@${reviewer}`).join(" and ")} requested changes of this very commit, and no approval counts while that stands. Look at what is asked for there, and reject with it.`;
  if (given.verdict === "reject" && given.comments.length === 0 && given.body.length < LEAST_REASON)
    return "A rejection needs its reasons: say in the body what breaks and what would be right, or comment on the lines.";
  if (citedAmong(given.evidence, ran).length > 0) return null;
  const said = ran.slice(-TOLD).map((text) => `\`${oneLine(text)}\``);
  return said.length === 0
    ? "A verdict rests on what you saw run, and you have run nothing yet. Run the tests or another check, then cite that command in `evidence`."
    : `Nothing in \`evidence\` is a command that you ran. Cite at least one as you ran it; the last were ${said.join(", ")}.`;
}
