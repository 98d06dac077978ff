import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { DirectoryEntry, RepositoryFiles } from "../../../domain/ports/github-changes.ts";
import { at } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";

const TYPES: readonly DirectoryEntry["type"][] = ["file", "dir", "symlink", "submodule"];

/** A text file of a repository; anything that is not a regular file has no text. */
const fileShape = z
  .object({ type: z.string(), sha: z.string(), size: z.int(), content: z.string().optional() })
  .transform(({ type, sha, size, content }) => {
    if (type !== "file" || content === undefined) return { kind: "other" as const };
    const text = Buffer.from(content, "base64").toString("utf8");
    return { kind: "file" as const, sha, bytes: size, text };
  });

/** Entries of unknown types are left out. */
const directoryShape = z
  .array(z.object({ name: z.string(), type: z.string(), sha: z.string(), size: z.int() }))
  .transform((entries) => ({
    kind: "directory" as const,
    entries: entries.flatMap(({ name, type, sha, size }): DirectoryEntry[] => {
      const known = TYPES.find((one) => one === type);
      return known === undefined ? [] : [{ name, type: known, sha, bytes: size }];
    }),
  }));

/** The content at a path; GitHub returns a directory as a list. */
export const contentShape = z.union([directoryShape, fileShape]);

/** Creates the reads of the default branch's files (REST, repository contents). */
export function createRepositoryFiles({ on }: Room): RepositoryFiles {
  async function content(repository: RepositoryRef, path: string) {
    try {
      return await readAnswer(on(repository).repos.getContent({ ...at(repository), path }), contentShape);
    } catch (error) {
      if (error instanceof GitHubError && error.code === "not_found") return null;
      throw error;
    }
  }

  return {
    async directory(repository, path) {
      const found = await content(repository, path);
      return found?.kind === "directory" ? found.entries : null;
    },
    async file(repository, path) {
      const found = await content(repository, path);
      return found?.kind === "file" ? { sha: found.sha, text: found.text } : null;
    },
  };
}
