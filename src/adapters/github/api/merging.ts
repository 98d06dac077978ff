import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { MergeDemands, Merging } from "../../../domain/ports/github-changes.ts";
import { at, pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { shaShape } from "../client/shapes.ts";
import { mergeablePullShape } from "./pull-shapes.ts";
import { rulesShape } from "./rules.ts";

/** Creates the operations on merges. Only `merger` may merge. */
export function createMerging(
  { on }: Pick<Room, "on">,
  merger: Room["on"],
  readyToMerge: Merging["readyToMerge"],
): Pick<Merging, "mergeablePull" | "mergeDemands" | "readyToMerge" | "mergePull"> {
  return {
    async mergeablePull(repository, number) {
      const asked = on(repository).pulls.get({ ...at(repository), pull_number: number });
      return readAnswer(asked, mergeablePullShape);
    },

    async mergeDemands(repository, branch) {
      let demands: MergeDemands = { upToDate: false, approvals: 0, queue: false };
      const rules = pages(
        (page) => on(repository).repos.getBranchRules({ ...at(repository), branch, ...page }),
        rulesShape,
      );
      try {
        for await (const { type, upToDate, approvals } of rules)
          demands = {
            upToDate: demands.upToDate || upToDate,
            approvals: Math.max(demands.approvals, approvals),
            queue: demands.queue || type === "merge_queue",
          };
      } catch (error) {
        if (!(error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code))) throw error;
      }
      return demands;
    },

    readyToMerge,

    async mergePull(repository, number, { head, method }) {
      try {
        const merged = merger(repository).pulls.merge({
          ...at(repository),
          pull_number: number,
          sha: head,
          merge_method: method,
        });
        return { kind: "merged", commit: (await readAnswer(merged, shaShape)).sha };
      } catch (error) {
        if (error instanceof GitHubError && error.status === 409)
          return { kind: "moved", reason: error.message };
        if (error instanceof GitHubError && error.status === 405)
          return { kind: "refused", reason: error.message };
        throw error;
      }
    },
  };
}
