import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { RepositoryRef } from "../core/repository.ts";
import { at, pages } from "./pages.ts";
import { readAnswer } from "./read-answer.ts";
import { contentShape } from "./repository-files.ts";
import type { Room } from "./room.ts";
import { rulesShape } from "./rules.ts";

/** What a repository asks for that we may not do. */
export function createRepositoryLimits({ on }: Room): Pick<GitHub, "repositoryLimits"> {
  async function signatures(repository: RepositoryRef, branch: string): Promise<boolean> {
    const rules = pages(
      (page) => on(repository).repos.getBranchRules({ ...at(repository), branch, ...page }),
      rulesShape,
    );
    for await (const { type } of rules) if (type === "required_signatures") return true;
    return false;
  }

  /** Undefined where there is no such file. */
  async function fileAt(repository: RepositoryRef, ref: string, path: string): Promise<string | undefined> {
    const asked = on(repository).repos.getContent({ ...at(repository), path, ref });
    const found = await readAnswer(asked, contentShape);
    return found.kind === "file" ? found.text : undefined;
  }

  return {
    async repositoryLimits(repository, branch) {
      const attributes = await absent(fileAt(repository, branch, ".gitattributes"));
      return {
        signatures: (await absent(signatures(repository, branch))) ?? false,
        lfs: /^[^#\n\r\u2028\u2029]*\sfilter=lfs(?:\s|$)/m.test(attributes ?? ""),
        submodules: (await absent(fileAt(repository, branch, ".gitmodules"))) !== undefined,
      };
    },
  };
}

/** Undefined where the App may not look, or the server has no such thing. */
async function absent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GitHubError && ["forbidden", "not_found"].includes(error.code)) return undefined;
    throw error;
  }
}
