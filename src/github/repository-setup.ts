import { GitHubError } from "../core/errors.ts";
import type { RepositorySetup } from "../core/ports/app-settings.ts";
import type { Caller, Client } from "./client.ts";
import { at } from "./pages.ts";
import type { Room } from "./room.ts";

/** What of repositories must be set up by people (REST, GitHub Apps: apps; issues: labels). */
export function createRepositorySetup(client: Client, app: Caller, { on }: Room): RepositorySetup {
  const { apps } = client(app).rest;
  return {
    isInstalled: ({ owner, name }) => isThere(apps.getRepoInstallation({ owner, repo: name })),
    async missingLabels(repository, names) {
      const found = await Promise.all(
        names.map((name) => isThere(on(repository).issues.getLabel({ ...at(repository), name }))),
      );
      return names.filter((_, index) => found[index] === false);
    },
  };
}

async function isThere(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return false;
    throw error;
  }
}
