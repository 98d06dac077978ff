import { rejectedBy } from "../review/rejected-by.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import type { EvidenceFacts } from "./evidence.ts";
import type { Missing } from "./missing.ts";

/**
 * What an agent rejected is not judged again: one terminal verdict per commit. Nor is a commit while a person's request for changes of it stands. Where `review.required` holds, a coder's work completes only with the approval of the very commit that it claims; a
 * merge needs none, and asking for the review is what gives it.
 */
export function missingReview(
  { kind, claimedCommit, pull }: Pick<EvidenceFacts, "kind" | "claimedCommit" | "pull">,
  policy: {
    readonly wanted: "completion" | "review";
    readonly required: boolean;
    readonly task: Pick<TaskRecord, "state" | "reviewCommit"> | null;
    /** All that were given on the task. */
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
