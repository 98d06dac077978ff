import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import {
  type SeenRepository,
  seenRepository,
  TELLING_FILES,
} from "../../domain/onboarding/seen-repository.ts";
import type { GitHub } from "../../domain/ports/github.ts";

/**
 * Returns what the files at the top of the default branch suggest. Reads the list of names, and the texts of those few
 * that are there. Throws `GitHubError`.
 */
export async function readSeen(
  github: Pick<GitHub, "directory" | "filesOf">,
  repository: RepositoryRef,
): Promise<SeenRepository> {
  const entries = (await github.directory(repository, "")) ?? [];
  const names = new Set(entries.filter(({ type }) => type === "file").map(({ name }) => name));
  const wanted = TELLING_FILES.filter((name) => names.has(name));
  return seenRepository({ names, texts: await github.filesOf(repository, wanted) });
}
