import type { RepositoryFileRow } from "../../src/domain/ports/settings-tables.ts";
import type { RepositoryOverride } from "../../src/domain/settings/repository-override.ts";

export const NO_OVERRIDE: RepositoryOverride = { roles: {}, limits: { defaults: {}, roles: {} } };

/** Builds a repository's own file that is in force; its blob begins with 1a2b3c4. */
export function aRepositoryFile(more: Partial<RepositoryFileRow> = {}): RepositoryFileRow {
  const fingerprint = `1a2b3c4${"d".repeat(33)} -`;
  return {
    repositoryId: 7,
    fingerprint,
    override: NO_OVERRIDE,
    source: fingerprint,
    faults: [],
    readAt: 0,
    ...more,
  };
}
