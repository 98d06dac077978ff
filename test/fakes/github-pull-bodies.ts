import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import type { FakeRepository } from "./github-world.ts";

type Faked = Pick<GitHub, "pullRequestFiles" | "setPullRequestBody" | "hasBranch" | "repositoryLimits">;

type Failing = <Args extends unknown[], Result>(
  method: keyof Faked,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/**
 * Creates what the pull requests of the fake GitHub change and say, and which branches and unsupported features its
 * repositories have.
 */
export function createFakePullBodies(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly notFound: (what: string) => never;
  readonly failing: Failing;
  readonly wrote: (method: keyof Faked, what: number) => void;
}): Faked {
  const { at, notFound, failing, wrote } = options;
  const pullOf = (ref: RepositoryRef, number: number) =>
    at(ref).pulls.get(number) ?? notFound(`pull request #${number}`);
  return {
    pullRequestFiles: failing(
      "pullRequestFiles",
      (ref: RepositoryRef, number: number): readonly string[] =>
        at(ref).changedFiles.get(pullOf(ref, number).headRef) ?? [],
    ),
    setPullRequestBody: failing("setPullRequestBody", (ref: RepositoryRef, number: number, body: string) => {
      Object.assign(pullOf(ref, number), { body });
      wrote("setPullRequestBody", number);
    }),
    hasBranch: failing("hasBranch", (ref: RepositoryRef, branch: string) => {
      const { defaultBranch, branches, branchesAhead } = at(ref);
      return branch === defaultBranch || branches.has(branch) || branchesAhead.has(branch);
    }),
    repositoryLimits: failing("repositoryLimits", (ref: RepositoryRef, _branch: string) => at(ref).limits),
  };
}
