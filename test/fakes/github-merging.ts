import type { RepositoryRef } from "../../src/domain/kernel/repository.ts";
import type {
  MergeAnswer,
  MergeablePull,
  MergeDemands,
  Merging,
  QueueAnswer,
  QueuedPull,
} from "../../src/domain/ports/github-changes.ts";
import { BOT, close, type FakeRepository } from "./github-world.ts";

type Failing = <Args extends unknown[], Result>(
  method: keyof Merging,
  act: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

const refused = (reason: string): QueueAnswer => ({ kind: "refused", reason });

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
  const queuedOf = (ref: RepositoryRef, number: number): QueuedPull =>
    at(ref).queued.get(number) ?? { isIn: false, left: null };
  return {
    queuedPull: failing("queuedPull", (ref: RepositoryRef, number: number): QueuedPull => {
      pullOf(ref, number);
      return queuedOf(ref, number);
    }),
    enqueuePull: failing(
      "enqueuePull",
      (ref: RepositoryRef, number: number, { head }: { head: string }): QueueAnswer => {
        const pull = pullOf(ref, number);
        if (queuedOf(ref, number).isIn) return { kind: "queued" };
        if (at(ref).mergeDemands.queue !== true) return refused("Merge queue is not enabled");
        if (pull.headSha !== head) return refused("The head is another one");
        if (pull.state === "closed" || pull.draft) return refused("Pull request is not mergeable");
        wrote("enqueuePull", number);
        at(ref).queued.set(number, { ...queuedOf(ref, number), isIn: true });
        return { kind: "queued" };
      },
    ),
    dequeuePull: failing("dequeuePull", (ref: RepositoryRef, number: number): void => {
      if (!queuedOf(ref, number).isIn) return;
      wrote("dequeuePull", number);
      const left = { at: now(), reason: "manual", by: BOT.login, commit: null };
      at(ref).queued.set(number, { isIn: false, left });
    }),
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
