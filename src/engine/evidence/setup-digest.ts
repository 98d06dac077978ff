import { LOCK_FILES, setupFacts } from "../../domain/evidence/setup.ts";
import type { WorktreeRef } from "../../domain/ports/worktrees.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Returns a text that changes with the worktree's directory, its lock files and what the repository's setup says. */
export async function setupDigest(
  context: EngineContext,
  ref: WorktreeRef,
  setup: Settings["setup"],
): Promise<string> {
  const files = await context.worktrees.digest(ref, LOCK_FILES);
  return context.digest(JSON.stringify([files, ...setupFacts(setup)]));
}
