import { GitHubError } from "../core/errors.ts";
import type { MergeDemands, Merging } from "../core/ports/merging.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";
import { pullRequestFrom } from "./shapes.ts";

/** What GitHub says about merges, and the merge itself, which `merger` alone may make. */
export function createMerging({ on }: Pick<Room, "on">, merger: Room["on"]): Merging {
  return {
    async mergeablePull(repository, number) {
      const { data } = await on(repository).pulls.get({ ...at(repository), pull_number: number });
      const { mergeable_state: mergeState, merge_commit_sha } = data;
      const pull = pullRequestFrom(data);
      return {
        ...pull,
        mergeState,
        mergeCommit: pull.merged ? merge_commit_sha : null,
        mergedBy: data.merged_by?.id ?? null,
      };
    },

    async mergeDemands(repository, branch) {
      let demands: MergeDemands = { upToDate: false, approvals: 0, queue: false };
      const rules = pages((page) =>
        on(repository).repos.getBranchRules({ ...at(repository), branch, ...page }),
      );
      try {
        for await (const rule of rules) {
          if (rule.type === "merge_queue") demands = { ...demands, queue: true };
          if (rule.type === "required_status_checks")
            demands = {
              ...demands,
              upToDate: demands.upToDate || rule.parameters?.strict_required_status_checks_policy === true,
            };
          if (rule.type === "pull_request")
            demands = {
              ...demands,
              approvals: Math.max(demands.approvals, rule.parameters?.required_approving_review_count ?? 0),
            };
        }
      } catch (error) {
        if (!(error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code))) throw error;
      }
      return demands;
    },

    async mergePull(repository, number, { head, method }) {
      try {
        const { data } = await merger(repository).pulls.merge({
          ...at(repository),
          pull_number: number,
          sha: head,
          merge_method: method,
        });
        return { kind: "merged", commit: data.sha };
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
