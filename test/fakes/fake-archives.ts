import { createHash } from "node:crypto";
import type { ArchivedWork, WorktreeRef } from "../../src/domain/ports/worktrees.ts";
import { changedBetween } from "./fake-commits.ts";

type Files = ReadonlyMap<string, string>;

/** Creates archives in memory, by the agent's name. */
export function createFakeArchives() {
  const files = new Map<string, Files>();
  return {
    files,
    /** Archives these files, or returns what was archived before; null if there is neither. */
    of(ref: WorktreeRef, work: Files | null): ArchivedWork | null {
      if (work !== null && !files.has(ref.name)) files.set(ref.name, new Map(work));
      const kept = files.get(ref.name);
      if (kept === undefined) return null;
      const bundle = JSON.stringify([...kept]);
      return {
        path: `archives/${ref.repository.id}/${ref.name}/work.bundle`,
        sha256: createHash("sha256").update(bundle).digest("hex"),
        bytes: bundle.length,
      };
    },
    /**
     * Returns whether a branch of the server contains the commit, or the tip has every change that the work made since
     * `from`.
     */
    isElsewhere(
      work: Files,
      side: {
        readonly committed: Files;
        readonly pushed: boolean;
        readonly from: Files;
        readonly tip: Files;
      },
    ): boolean {
      if (side.pushed && changedBetween(side.committed, work).length === 0) return true;
      return changedBetween(side.from, work).every((path) => side.tip.get(path) === work.get(path));
    },
  };
}
