import { type ChangeSet, decisionOnly, mergeChanges } from "../kernel/change-set.ts";
import type { RepositoryLimits } from "../ports/github.ts";
import { baseRefused } from "../tasks/base-branch.ts";
import type { Base } from "../tasks/task-record.ts";
import type { Settings } from "./settings.ts";

/** Returns the issue on which the changes start a coder: only a coder's commits and worktree meet these limits. */
export function issueOfCoder({ moves }: ChangeSet): number | null {
  const found = moves.flatMap(({ event }) =>
    "newAgent" in event && event.newAgent.coder ? [event.newAgent.issue] : [],
  );
  return found[0] ?? null;
}

/** Returns the base branch that the changes choose for a task; null for the default branch, and without a choice. */
export function chosenBase({ moves }: ChangeSet): Base {
  const [opened] = moves.flatMap((move) =>
    move.machine === "task" && "base" in move.event ? [move.event.base] : [],
  );
  return opened ?? null;
}

/** Returns the changes without a start whose base branch does not exist. */
export function withoutBranch(changes: ChangeSet, base: string, repository: string): ChangeSet {
  return mergeChanges(
    withoutStart(changes),
    baseRefused({
      fault: `${repository} has no branch \`${base}\``,
      change: "create the branch, or name one that exists, and say `/flotilla start <role> on <branch>`",
    }),
  );
}

/** Returns the start of a coder with what people must know about work in this repository. `method` = how Flotilla merges. */
export function withinLimits(
  changes: ChangeSet,
  limits: RepositoryLimits,
  { base, method }: { readonly base: string; readonly method: Settings["merge"]["method"] },
): ChangeSet {
  return mergeChanges(
    changes,
    ...(limits.signatures && method === "rebase"
      ? [
          decisionOnly(
            "signed_commits",
            `\`${base}\` takes only signed commits, and GitHub signs none that a rebase makes: it will refuse to merge the work so`,
            { change: "set `merge.method` to `squash` or `merge`", shown: true },
          ),
        ]
      : []),
    ...(limits.lfs
      ? [
          decisionOnly(
            "lfs",
            "the repository uses Git LFS, which is not supported: agents see pointers, not contents",
            {
              change: "people change the files that LFS keeps",
              shown: true,
            },
          ),
        ]
      : []),
    ...(limits.submodules
      ? [
          decisionOnly(
            "submodules",
            "the repository has submodules, which are not supported: their places are empty",
            {
              change: "people do work that needs them, or setup commands fetch them",
              shown: true,
            },
          ),
        ]
      : []),
  );
}

function withoutStart(changes: ChangeSet): ChangeSet {
  return { ...changes, moves: [], effects: changes.effects.map(notTaken) };
}

/** Returns the answer at a command's comment as a refusal. */
function notTaken(effect: ChangeSet["effects"][number]): ChangeSet["effects"][number] {
  return effect.kind === "react" ? { ...effect, reaction: "confused" } : effect;
}
