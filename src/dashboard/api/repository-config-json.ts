import type { RepositoryFileRow } from "../../domain/ports/settings-tables.ts";
import { REPOSITORY_FILE } from "../../domain/settings/repository-file-path.ts";
import { repositoryFileState } from "../../domain/settings/repository-file-state.ts";
import { repositoryFileWords } from "../../domain/settings/repository-file-text.ts";

/**
 * Formats a repository's own file as it was last read, with its meaning and the next step. `blob` is the version that
 * was read, `in_force` the version that applies: they differ if the version that was read is faulty.
 */
export function repositoryConfigJson(
  row: RepositoryFileRow | undefined,
  { site, name }: { readonly site: string; readonly name: string },
) {
  const fileState = repositoryFileState(row);
  const { what, next } = repositoryFileWords(fileState, name);
  const blob = "blob" in fileState ? fileState.blob : null;
  return {
    state: fileState.state,
    what,
    next,
    faults: fileState.state === "faulty" ? fileState.faults : [],
    blob,
    in_force: fileState.state === "faulty" ? fileState.held : blob,
    read_at: row === undefined ? null : new Date(row.readAt).toISOString(),
    url: blob === null ? null : `${site}/${name}/blob/HEAD/${REPOSITORY_FILE}`,
  };
}

export type RepositoryConfigView = ReturnType<typeof repositoryConfigJson>;
