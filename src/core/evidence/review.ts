import type { EvidenceFacts } from "../evidence.ts";
import type { TaskRecord } from "../machines/task.ts";
import type { Missing } from "./missing.ts";

/**
 * Where `review.required` holds, a coder's work completes only with the approval of the very commit that it claims; a
 * merge needs none, and asking for the review is what gives it.
 */
export function missingReview(
  { kind, claimedCommit, pull }: Pick<EvidenceFacts, "kind" | "claimedCommit" | "pull">,
  policy: {
    readonly wanted: "completion" | "review";
    readonly required: boolean;
    readonly task: Pick<TaskRecord, "state" | "reviewCommit"> | null;
  },
): readonly Missing[] {
  const { wanted, required, task } = policy;
  if (!required || kind !== "code" || wanted === "review") return [];
  if (pull?.own === true && pull.merged) return [];
  const isGiven = task?.state === "APPROVED" && task.reviewCommit === claimedCommit;
  return isGiven ? [] : [{ kind: "review_missing" }];
}
