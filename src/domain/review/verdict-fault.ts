import { oneLine } from "../messages/format.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { citedAmong } from "./evidence-cited.ts";
import type { ReviewLeaseRecord } from "./review-lease.ts";
import type { Reviewer } from "./reviewer.ts";
import type { GivenVerdict } from "./verdict.ts";

/** The facts that a verdict is checked against, as they are now. */
export interface VerdictFacts {
  /** The commit that this agent reviews; null when the review is not its own any more. */
  readonly commit: string | null;
  /** People whose request for changes of the commit under review counts. */
  readonly rejectedBy: readonly Reviewer[];
  /** What the reviewer itself ran, oldest first; see `ranTexts`. */
  readonly ran: readonly string[];
}

/** Returns the commit that this agent reviews as the holder of the review; null where it is not its own any more. */
export function commitUnderReview(
  agentId: number,
  task: Pick<TaskRecord, "state" | "reviewCommit"> | null,
  lease: Pick<ReviewLeaseRecord, "state" | "holderId"> | null,
): string | null {
  const isIts = lease?.state === "HELD" && lease.holderId === agentId;
  return isIts && task?.state === "READY_FOR_REVIEW" ? task.reviewCommit : null;
}

/** Characters of reasons that a rejection without comments needs at least. */
const LEAST_REASON = 20;

const TOLD = 5;

/** Returns why a verdict is refused, with what to do, for the model; null when it is accepted. */
export function verdictFault(
  given: Omit<GivenVerdict, "comments"> & { readonly comments: readonly unknown[] },
  facts: VerdictFacts,
): string | null {
  const { commit, ran } = facts;
  if (commit === null)
    return "This review is not yours any more: somebody else gave the verdict, or the work was taken back. Nothing is left to do.";
  if (given.commit !== commit)
    return `Under review is ${commit}, your verdict names ${given.commit}. Say it of that commit, in full.`;
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
