import { type ChangeSet, decisionOnly, mergeChanges } from "../kernel/change-set.ts";
import type { RepositoryLimits } from "../ports/github.ts";

/** Returns true for changes that start a coder: only a coder's commits and worktree meet these limits. */
export function startsCoder({ moves }: ChangeSet): boolean {
  return moves.some(({ event }) => "newAgent" in event && event.newAgent.coder);
}

/**
 * Returns the start of a coder as far as the repository allows it. A coder whose commits could not be merged does not
 * start; others start, and people read what the work will lack.
 */
export function withinLimits(changes: ChangeSet, limits: RepositoryLimits, base: string): ChangeSet {
  if (limits.signatures)
    return mergeChanges(
      { ...changes, moves: [], effects: changes.effects.map(notTaken) },
      decisionOnly(
        "signed_commits",
        `\`${base}\` takes only signed commits, and agents' commits are not signed`,
        {
          change: "exempt the App in the ruleset, or take the rule off, and say `/flotilla start`",
          shown: true,
        },
      ),
    );
  return mergeChanges(
    changes,
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

/** Returns the answer at a command's comment as a refusal. */
function notTaken(effect: ChangeSet["effects"][number]): ChangeSet["effects"][number] {
  return effect.kind === "react" ? { ...effect, reaction: "confused" } : effect;
}
