import type { GitHubError } from "../../src/domain/kernel/errors.ts";
import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import type { FakeRepository } from "./github-world.ts";
import { rerunJob } from "./rerun-job.ts";

type Checking = Pick<
  GitHub,
  "picture" | "checks" | "failedJob" | "awaitsApproval" | "rerunJob" | "requiredChecks"
>;
type Failing = <Args extends unknown[], Result>(
  method: keyof GitHub,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Creates the checks of the fake GitHub, which tests set. */
export function createFakeChecks(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly refused: (code: "forbidden", message: string, consequence: "tell") => GitHubError;
  readonly failing: Failing;
  readonly wrote: (method: keyof GitHub, what: number) => void;
}): Checking {
  const { at, refused, failing, wrote } = options;
  return {
    checks: failing("checks", (ref: RepositoryRef, commit: string) => at(ref).checks.get(commit) ?? []),
    failedJob: failing("failedJob", (ref: RepositoryRef, job: number) => at(ref).failedJobs.get(job) ?? null),
    picture: failing("picture", (ref: RepositoryRef, { asset }: { readonly asset: string }) => {
      const bytes = at(ref).pictures.get(asset);
      return bytes === undefined ? { fault: "GitHub shows no such attachment there" } : { bytes };
    }),
    awaitsApproval: failing("awaitsApproval", (ref: RepositoryRef, commit: string) =>
      at(ref).awaitingApproval.has(commit),
    ),
    rerunJob: failing("rerunJob", (ref: RepositoryRef, job: number): void => {
      if (!rerunJob(at(ref), job)) throw refused("forbidden", `job ${job} cannot be run again`, "tell");
      wrote("rerunJob", job);
    }),
    requiredChecks: failing("requiredChecks", (ref: RepositoryRef, branch: string) =>
      branch === at(ref).defaultBranch ? at(ref).requiredChecks : [],
    ),
  };
}
