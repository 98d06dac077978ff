import type { EvidenceRow } from "../kernel/rows.ts";
import type { Settings } from "../settings/settings.ts";

/** Files at the top of a worktree that define what is installed; a change of one requires the setup commands again. */
export const LOCK_FILES = [
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "Gemfile.lock",
  "composer.lock",
] as const;

/** Returns what, besides the lock files, decides what the commands do; the order of names does not matter. */
export function setupFacts({
  commands,
  network,
  cache,
  reuse,
  environment,
}: Settings["setup"]): readonly (readonly unknown[])[] {
  const variables = Object.entries(environment).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const facts = [commands, network.toSorted(), cache.toSorted(), variables];
  // Without reuse these facts stay as they always were, so that no agent's setup runs again for nothing.
  return reuse.length === 0 ? facts : [...facts, reuse.toSorted()];
}

const ofWorktree = (rows: readonly EvidenceRow[]) =>
  rows.filter(({ kind, intentId }) => kind === "setup" && intentId === null);

/** Returns true when each command has prepared the agent's worktree once: a later failure has another cause. */
export function everPrepared(commands: readonly string[], rows: readonly EvidenceRow[]): boolean {
  const done = new Set(ofWorktree(rows).flatMap(({ holds, command }) => (holds ? [command] : [])));
  return commands.every((command) => done.has(command));
}

/**
 * Returns the setup commands that the worktree still needs. `digest` is that of its lock files and setup now: a run
 * for another digest, or before such a run, does not count. `rows` are the agent's evidence, oldest first.
 */
export function setupLeft(
  commands: readonly string[],
  rows: readonly EvidenceRow[],
  digest: string,
): readonly string[] {
  const setups = ofWorktree(rows);
  const before = setups.findLastIndex((row) => row.digest !== digest);
  const done = new Set(setups.slice(before + 1).flatMap(({ holds, command }) => (holds ? [command] : [])));
  return commands.filter((command) => !done.has(command));
}
