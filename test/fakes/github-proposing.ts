import { fullName, type RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type { GitHub } from "../../src/domain/ports/github.ts";
import type { Proposing } from "../../src/domain/ports/github-changes.ts";
import { shaOf } from "./github-files.ts";
import { refused } from "./github-markers.ts";
import type { FakeRepository } from "./github-world.ts";

type Failing = <Args extends unknown[], Result>(
  method: keyof GitHub,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Creates the proposals of files in the repositories of the fake GitHub. */
export function createFakeProposing(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly failing: Failing;
  readonly wrote: (method: keyof Proposing, what: string) => void;
}): Proposing {
  const { at, failing, wrote } = options;
  return {
    filesOf: failing(
      "filesOf",
      (ref: RepositoryRef, paths: readonly string[]) =>
        new Map(
          [...at(ref).files].filter(([path, text]) => paths.includes(path) && text.length <= 64 * 1024),
        ),
    ),
    addFileOnBranch: failing("addFileOnBranch", (ref, { branch, path, content, replaces }) => {
      const text = at(ref).files.get(path);
      if (replaces !== undefined && (text === undefined || shaOf(text) !== replaces))
        throw refused("conflict", `${path} of ${fullName(ref)} has just changed`, "retry");
      const { proposed, branchesAhead, changedFiles } = at(ref);
      const known = proposed.get(branch);
      const commit = "b".repeat(40);
      if (known?.path === path && known.content === content) return { commit };
      if (known !== undefined || branchesAhead.has(branch))
        throw refused("conflict", `${fullName(ref)} has a branch ${branch} already`, "tell");
      wrote("addFileOnBranch", branch);
      proposed.set(branch, { path, content });
      changedFiles.set(branch, [path]);
      branchesAhead.add(branch);
      return { commit };
    }) satisfies GitHub["addFileOnBranch"],
  };
}
