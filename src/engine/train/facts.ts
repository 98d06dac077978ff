import type { RepositoryRow } from "../../core/rows.ts";
import { checksFailure } from "../../core/text/check-failure.ts";
import { approvalsOf } from "../../core/train/approvals.ts";
import type { TrainFacts } from "../../core/train/next-step.ts";
import { lookAtCommit, requiredNames } from "../checks/look-at-commit.ts";
import { underReviewSince } from "../checks/under-review-since.ts";
import type { EngineContext } from "../context.ts";
import { holdsOnIssue } from "../holds-around.ts";
import { levelOn } from "../level-door.ts";
import type { TrainCar } from "./cars.ts";
import { reviewsAgainst } from "./reviews-against.ts";

/** Merges are left to people where the level of the issue is not `merge`. */
export async function mergesIssue(
  context: EngineContext,
  repository: RepositoryRow,
  issue: number,
): Promise<boolean> {
  return (
    context.settingsOf(repository.id).merge.auto && (await levelOn(context, repository, issue)) === "merge"
  );
}

/** What is known of work whose turn it is; null where it has no pull request. */
export async function trainFacts(
  context: EngineContext,
  repository: RepositoryRow,
  { car, merges }: { readonly car: TrainCar; readonly merges: boolean },
): Promise<TrainFacts | null> {
  const { github, identity, store } = context;
  const { task, coder, standing } = car;
  const { defaultBranch: base } = repository;
  if (coder.prNumber === null || task.reviewCommit === null) return null;
  const pull = await github.mergeablePull(repository, coder.prNumber);
  const demands = await github.mergeDemands(repository, base);
  const required = await requiredNames(context, repository);
  const since = await underReviewSince(store, task);
  const commit = standing.head ?? task.reviewCommit;
  const { verdict: checks, red } = await lookAtCommit(context, repository, { commit, since });
  const own = checks.kind === "own_failure" ? checks.checks : [];
  const failed = red.filter(({ name }) => own.includes(name));
  // Their webhooks may be late, or lost.
  const reviews = await github.reviews(repository, pull.number);
  return {
    reviewCommit: task.reviewCommit,
    pull,
    standing,
    base,
    demands,
    approvals: approvalsOf(reviews, identity.botId),
    ...(await reviewsAgainst(context, repository, { reviews, task })),
    required: required.length,
    checks,
    failure: checksFailure(
      failed.map(({ name: check, ...rest }) => ({ check, ...rest })),
      1,
    ),
    coderAtWork: coder.state === "ACTIVE",
    merges,
    // Last: somebody may pause it while GitHub is asked.
    holds: await holdsOnIssue(context, task),
  };
}
