import type { RepositoryRef } from "../../domain/kernel/repository.ts";
import type { RepositoryFiles } from "../../domain/ports/github-changes.ts";
import {
  fingerprintOf,
  type ReadRepositoryFile,
  type RepositoryFileRead,
  unreadable,
} from "../../domain/settings/repository-file.ts";
import { REPOSITORY_FILE, REPOSITORY_ROLES } from "../../domain/settings/repository-file-path.ts";
import type { Settings } from "../../domain/settings/settings.ts";

interface Reading {
  readonly github: RepositoryFiles;
  readonly readFile: ReadRepositoryFile;
  readonly settings: Settings;
}

/** The result: a new fingerprint with its content, or none where it equals `known`. */
type Found = { readonly fingerprint: string; readonly read: RepositoryFileRead | null };

/** Role files that one repository may have; each costs a request. */
const MAX_ROLES = 30;

/**
 * Reads the repository's config from the default branch: one request while nothing has changed. `known` =
 * fingerprint of the content that needs no reading. Throws `GitHubError`.
 */
export async function readRepositoryConfig(
  reading: Reading,
  repository: RepositoryRef,
  known: string | null,
): Promise<Found> {
  const entries = (await reading.github.directory(repository, ".github")) ?? [];
  const fingerprint = fingerprintOf(entries);
  if (fingerprint === known) return { fingerprint, read: null };
  const entry = entries.find(({ name }) => name === "flotilla.yml");
  if (entry === undefined) return { fingerprint, read: { override: undefined, faults: [], notices: [] } };
  const wrong = unreadable(entry);
  if (wrong !== null) return faulty(fingerprint, [`${REPOSITORY_FILE}: ${wrong}`]);
  const file = await reading.github.file(repository, REPOSITORY_FILE);
  // The file has just changed; the next read sees it.
  if (file?.sha !== entry.sha) return { fingerprint: known ?? "", read: null };
  const { texts, faults } = await roleTexts(reading.github, repository);
  if (faults.length > 0) return faulty(fingerprint, faults);
  return { fingerprint, read: reading.readFile(file.text, reading.settings, texts) };
}

async function roleTexts(
  github: RepositoryFiles,
  repository: RepositoryRef,
): Promise<{ readonly texts: ReadonlyMap<string, string>; readonly faults: readonly string[] }> {
  const entries = (await github.directory(repository, REPOSITORY_ROLES)) ?? [];
  const named = entries.filter(({ name }) => name.endsWith(".md"));
  const faults = named.flatMap((entry) => {
    const wrong = unreadable(entry);
    return wrong === null ? [] : [`${REPOSITORY_ROLES}/${entry.name}: ${wrong}`];
  });
  if (named.length > MAX_ROLES)
    faults.push(`${REPOSITORY_ROLES}: holds more than ${MAX_ROLES} role files; take some out.`);
  const texts = new Map<string, string>();
  if (faults.length > 0) return { texts, faults };
  for (const { name } of named) {
    const file = await github.file(repository, `${REPOSITORY_ROLES}/${name}`);
    if (file !== null) texts.set(name, file.text);
  }
  return { texts, faults };
}

function faulty(fingerprint: string, faults: readonly string[]): Found {
  return { fingerprint, read: { override: undefined, faults, notices: [] } };
}
