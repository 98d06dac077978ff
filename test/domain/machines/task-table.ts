import { NEW } from "../../../src/domain/kernel/state-machine.ts";
import { written } from "./arrow.ts";

const OPEN = "DRAFT UNCLAIMED CLAIMED READY_FOR_REVIEW REJECTED APPROVED INTEGRATION_FAILED BLOCKED";

/** The Task's table as the design has it, row by row. */
export const TASK_TABLE: readonly string[] = written(
  [NEW, "OPEN", "DRAFT"],
  [NEW, "OPEN", "UNCLAIMED"],
  ["DRAFT", "FINALIZE", "UNCLAIMED"],
  // Beside the design: the work begins anew on another base branch.
  ["DRAFT", "RETARGET", "DRAFT"],
  ["UNCLAIMED", "RETARGET", "UNCLAIMED"],
  ["UNCLAIMED", "CLAIM", "CLAIMED"],
  ["CLAIMED", "REQUEST_REVIEW", "READY_FOR_REVIEW"],
  ["CLAIMED", "BLOCK", "BLOCKED"],
  ["CLAIMED READY_FOR_REVIEW REJECTED APPROVED INTEGRATION_FAILED", "RELEASE", "UNCLAIMED"],
  // Beside the design: a failed merge stays for whoever takes the fix over.
  ["CLAIMED", "RELEASE", "INTEGRATION_FAILED"],
  ["READY_FOR_REVIEW", "APPROVE", "READY_FOR_REVIEW/APPROVED"],
  ["READY_FOR_REVIEW", "REJECT/CHECKS_FAIL", "REJECTED"],
  ["READY_FOR_REVIEW", "NEW_COMMIT", "READY_FOR_REVIEW"],
  ["REJECTED", "RECLAIM/REASSIGN", "CLAIMED"],
  ["REJECTED", "BLOCK", "BLOCKED"],
  ["APPROVED", "NEW_COMMIT", "READY_FOR_REVIEW"],
  // Beside the design: somebody else asks for changes after the approval.
  ["APPROVED", "REJECT", "REJECTED"],
  // Beside the design: a clean merge of the base branch is the same work.
  ["APPROVED", "NEW_COMMIT", "APPROVED"],
  ["APPROVED", "MERGE", "MERGED"],
  ["APPROVED", "INTEGRATION_FAIL", "INTEGRATION_FAILED"],
  ["INTEGRATION_FAILED", "CLAIM_FIX", "CLAIMED"],
  ["BLOCKED", "RESCOPE", "UNCLAIMED"],
  ["BLOCKED", "SUPERSEDE", "SUPERSEDED"],
  ["BLOCKED", "ABANDON", "ABANDONED"],
  [OPEN, "OBSERVED_MERGED", "MERGED"],
  [OPEN, "OBSERVED_CLOSED", "ABANDONED"],
);
