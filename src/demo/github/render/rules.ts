import { rulesOf } from "../acts/rules.ts";
import type { Repository } from "../world/records.ts";
import { fullNameOf } from "../world/world.ts";

/** Renders the rules of a branch as its ruleset lists them; leaves out rules that demand nothing. */
export function renderRules(repository: Repository, branch: string): readonly Record<string, unknown>[] {
  const { checks, upToDate, approvals, signatures, mergeQueue } = rulesOf(repository, branch);
  const of = {
    ruleset_source_type: "Repository",
    ruleset_source: fullNameOf(repository),
    ruleset_id: repository.id,
  };
  const ofChecks = {
    type: "required_status_checks",
    parameters: {
      required_status_checks: checks.map((context) => ({ context })),
      strict_required_status_checks_policy: upToDate,
    },
    ...of,
  };
  const ofReviews = {
    type: "pull_request",
    parameters: {
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: false,
      require_last_push_approval: false,
      required_approving_review_count: approvals,
      required_review_thread_resolution: false,
    },
    ...of,
  };
  const ofQueue = {
    type: "merge_queue",
    parameters: {
      check_response_timeout_minutes: 60,
      grouping_strategy: "ALLGREEN",
      max_entries_to_build: 5,
      max_entries_to_merge: 5,
      merge_method: "SQUASH",
      min_entries_to_merge: 1,
      min_entries_to_merge_wait_minutes: 5,
    },
    ...of,
  };
  return [
    ...(mergeQueue ? [ofQueue] : []),
    ...(checks.length > 0 || upToDate ? [ofChecks] : []),
    ...(approvals > 0 ? [ofReviews] : []),
    ...(signatures === null ? [] : [{ type: "required_signatures", ...of }]),
  ];
}
