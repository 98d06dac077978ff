import { redactor } from "../../domain/access/redact.ts";
import { withoutSecretArguments, withoutSecretsOfAddresses } from "../../domain/access/secret-arguments.ts";
import type { RepositoryFileRow } from "../../domain/ports/settings-tables.ts";
import { type ChangedSetting, changedSettings } from "../../domain/settings/changed-settings.ts";
import { REPOSITORY_FILE } from "../../domain/settings/repository-file-path.ts";
import { repositoryFileState } from "../../domain/settings/repository-file-state.ts";
import { repositoryFileWords } from "../../domain/settings/repository-file-text.ts";
import type { Settings } from "../../domain/settings/settings.ts";

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

export type RepositoryConfigView = ReturnType<typeof repositoryConfigJson> & {
  readonly changes: readonly ChangedSetting[];
};

/** Characters of a value that are shown. */
const LONGEST = 300;

const withoutShapes = redactor([]);

/** Lists what the version in force changes, without what looks like a secret: those who may read the repository see it. */
export function changesJson(
  settings: Settings,
  row: Pick<RepositoryFileRow, "override"> | undefined,
): readonly ChangedSetting[] {
  if (row === undefined || row.override === null) return [];
  return changedSettings(settings, row.override).map(({ key, value, operator, refused }) => ({
    key,
    value: shown(value),
    operator: shown(operator),
    refused: shown(refused),
  }));
}

function shown(value: string | null): string | null {
  const text =
    value === null ? null : withoutSecretsOfAddresses(withoutShapes(withoutSecretArguments(value)));
  return text !== null && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
