import { judgeChecks } from "../../core/evidence/checks.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import { approvalsOf } from "../../core/train/approvals.ts";
import type { TrainFacts } from "../../core/train/next-step.ts";
import type { EngineContext } from "../context.ts";
import type { TrainCar } from "./cars.ts";

/** What GitHub says of work whose turn it is; null where it has no pull request. */
export async function trainFacts(
  { github, settings, identity }: EngineContext,
  repository: RepositoryRow,
  { task, coder, standing }: TrainCar,
): Promise<TrainFacts | null> {
  const { defaultBranch: base } = repository;
  if (coder.prNumber === null || task.reviewCommit === null) return null;
  const pull = await github.mergeablePull(repository, coder.prNumber);
  const demands = await github.mergeDemands(repository, base);
  const required = new Set([
    ...settings.evidence.requiredChecks,
    ...(await github.requiredChecks(repository, base)),
  ]);
  const judged = async (commit: string) =>
    judgeChecks([...required], await github.checks(repository, commit));
  const none = { failed: [], pending: [] };
  const checks = required.size === 0 || standing.head === null ? none : await judged(standing.head);
  const onBase = checks.failed.length === 0 ? none : await judged(standing.base);
  const reviews = demands.approvals === 0 ? [] : await github.reviews(repository, pull.number);
  return {
    reviewCommit: task.reviewCommit,
    pull,
    standing,
    base,
    demands,
    approvals: approvalsOf(reviews, identity.botId),
    required: required.size,
    checks,
    redOnBase: onBase.failed.map(({ check }) => check),
    coderAtWork: coder.state === "ACTIVE",
  };
}
