import type { CommitCheck } from "../../src/domain/ports/github.ts";
import type { FakeRepository } from "./github-world.ts";

/** Queues the failed job again under a new id, as GitHub does. Returns false if there is no such job. */
export function rerunJob({ failedJobs, checks }: FakeRepository, job: number): boolean {
  if (!failedJobs.has(job)) return false;
  for (const [commit, found] of checks)
    checks.set(
      commit,
      found.map((check) => (check.run?.id === job ? queued(check, job) : check)),
    );
  return true;
}

function queued({ name }: CommitCheck, job: number): CommitCheck {
  return { name, state: "pending", conclusion: "queued", run: { id: job + 1_000_000, job: true } };
}
