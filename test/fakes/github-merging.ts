import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type {
  MergeAnswer,
  MergeablePull,
  MergeDemands,
  Merging,
} from "../../src/domain/ports/github-changes.ts";
import { BOT, close, type FakeRepository } from "./github-world.ts";

type Failing = <Args extends unknown[], Result>(
  method: keyof Merging,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Creates the merges of the fake GitHub. The rig connects them to git's merges. */
export function createFakeMerging(options: {
  readonly at: (ref: RepositoryRef) => FakeRepository;
  readonly notFound: (what: string) => never;
  readonly failing: Failing;
  readonly wrote: (method: keyof Merging, what: number) => void;
  readonly now: () => number;
}): Merging {
  const { at, notFound, failing, wrote, now } = options;
  const pullOf = (ref: RepositoryRef, number: number) =>
    at(ref).pulls.get(number) ?? notFound(`pull request #${number}`);
  return {
    mergeablePull: failing("mergeablePull", (ref: RepositoryRef, number: number): MergeablePull => {
      const pull = pullOf(ref, number);
      const merged = at(ref).merges.get(number);
      const mergeState = at(ref).mergeStates.get(number) ?? (pull.draft ? "draft" : "clean");
      return { ...pull, mergeState, mergeCommit: merged?.commit ?? null, mergedBy: merged?.by ?? null };
    }),
    mergeDemands: failing("mergeDemands", (ref: RepositoryRef, branch: string): MergeDemands => {
      const none = { upToDate: false, approvals: 0, queue: false };
      return branch === at(ref).defaultBranch ? { ...none, ...at(ref).mergeDemands } : none;
    }),
    readyToMerge: failing("readyToMerge", (ref: RepositoryRef): void => void at(ref)),
    mergePull: failing(
      "mergePull",
      (ref: RepositoryRef, number: number, { head }: { head: string }): MergeAnswer => {
        const pull = pullOf(ref, number);
        if (pull.headSha !== head) return { kind: "moved", reason: "Head branch was modified." };
        if (
          pull.state === "closed" ||
          pull.draft ||
          ["dirty", "blocked"].includes(at(ref).mergeStates.get(number) ?? "")
        )
          return { kind: "refused", reason: "Pull Request is not mergeable" };
        wrote("mergePull", number);
        const commit = number.toString(16).padStart(40, "e");
        close(at(ref), number, { merged: true, by: BOT, at: now() });
        at(ref).merges.set(number, { commit, by: BOT.id });
        return { kind: "merged", commit };
      },
    ),
  };
}
