import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { REPOSITORY_FILE_BYTES, type RepositoryFileRead } from "../../domain/settings/repository-file.ts";
import { REPOSITORY_FILE } from "../../domain/settings/repository-file-path.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { readRepositoryFile } from "../repository-file.ts";

/**
 * Checks a repository's file in a checkout, with the role files in `flotilla/roles` beside it. `path` is
 * absolute. Never throws.
 */
export function readRepositoryFileAt(path: string, settings: Settings): RepositoryFileRead {
  const text = readText(path);
  if (text === undefined)
    return { override: undefined, faults: [`${REPOSITORY_FILE}: ${path} cannot be read.`], notices: [] };
  const directory = join(dirname(path), "flotilla/roles");
  const texts = new Map<string, string>();
  for (const name of markdownIn(directory)) {
    const role = readText(join(directory, name));
    if (role !== undefined) texts.set(name, role);
  }
  return readRepositoryFile(text, settings, texts);
}

/** Reads one byte more than allowed, to detect a file that is too long. */
function readText(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    return readFileSync(path)
      .subarray(0, REPOSITORY_FILE_BYTES + 1)
      .toString("utf8");
  } catch {
    return undefined;
  }
}

function markdownIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
}
