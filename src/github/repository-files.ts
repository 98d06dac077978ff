import { GitHubError } from "../core/errors.ts";
import type { DirectoryEntry, RepositoryFiles } from "../core/ports/repository-files.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { at } from "./pages.ts";
import type { Room } from "./room.ts";

const TYPES: readonly DirectoryEntry["type"][] = ["file", "dir", "symlink", "submodule"];

/** Files of the default branch (REST, repository contents). */
export function createRepositoryFiles({ on }: Room): RepositoryFiles {
  async function content(repository: RepositoryRef, path: string) {
    try {
      return (await on(repository).repos.getContent({ ...at(repository), path })).data;
    } catch (error) {
      if (error instanceof GitHubError && error.code === "not_found") return null;
      throw error;
    }
  }

  return {
    async directory(repository, path) {
      const data = await content(repository, path);
      if (!Array.isArray(data)) return null;
      return data.flatMap(({ name, type, sha, size }) => {
        const known = TYPES.find((one) => one === type);
        return known === undefined ? [] : [{ name, type: known, sha, bytes: size }];
      });
    },
    async file(repository, path) {
      const data = await content(repository, path);
      if (data === null || Array.isArray(data) || data.type !== "file" || !("content" in data)) return null;
      return { sha: data.sha, text: Buffer.from(data.content, "base64").toString("utf8") };
    },
  };
}
