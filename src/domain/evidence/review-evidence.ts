import { rejectedBy } from "../review/rejected-by.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { EvidenceFacts } from "./evidence.ts";
import type { Missing } from "./missing.ts";

/**
 * Returns what a review still has to settle. A rejected commit is not judged again, nor one whose changes a person
 * requested. Where `review.required` holds, a coder's work completes only with an approval of the claimed commit; a
 * merge needs none, and a request for review cannot have one yet.
 */
export function missingReview(
  { kind, claimedCommit, pull }: Pick<EvidenceFacts, "kind" | "claimedCommit" | "pull">,
  policy: {
    readonly wanted: "completion" | "review";
    readonly required: boolean;
    readonly task: Pick<TaskRecord, "state" | "reviewCommit"> | null;
    /** All verdicts on the task. */
    readonly verdicts: Parameters<typeof rejectedBy>[0];
  },
): readonly Missing[] {
  const { wanted, required, task, verdicts } = policy;
  if (kind !== "code" || claimedCommit === null || (pull?.own === true && pull.merged)) return [];
  const rejected = verdicts.find(
    ({ agentId, commit, approves }) => agentId !== null && commit === claimedCommit && !approves,
  );
  if (rejected !== undefined)
    return [{ kind: "commit_rejected", commit: claimedCommit, reviewer: rejected.reviewer }];
  const people = rejectedBy(verdicts, claimedCommit);
  if (people.length > 0)
    return [
      { kind: "changes_requested", commit: claimedCommit, people: people.map(({ reviewer }) => reviewer) },
    ];
  if (!required || wanted === "review") return [];
  const isGiven = task?.state === "APPROVED" && task.reviewCommit === claimedCommit;
  return isGiven ? [] : [{ kind: "review_missing" }];
}
