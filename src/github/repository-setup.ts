import { GitHubError } from "../core/errors.ts";
import type { RepositorySetup } from "../core/ports/app-settings.ts";
import type { Caller, Client } from "./client.ts";
import { at } from "./pages.ts";
import type { Room } from "./room.ts";
import type { Tokens } from "./tokens.ts";

/** What of repositories must be set up by people (REST, GitHub Apps: apps; issues: labels). */
export function createRepositorySetup(
  client: Client,
  { app, tokens }: { readonly app: Caller; readonly tokens: Pick<Tokens, "metadata"> },
  { on }: Room,
): RepositorySetup {
  const { apps } = client(app).rest;
  return {
    isInstalled: ({ owner, name }) => isThere(apps.getRepoInstallation({ owner, repo: name })),
    async installedAt({ owner, name }) {
      const found = await unlessAbsent(apps.getRepoInstallation({ owner, repo: name }));
      if (found === null) return null;
      const installationId = found.data.id;
      const caller: Caller = {
        account: `installation ${installationId}`,
        authorization: async () => `token ${await tokens.metadata(installationId)}`,
      };
      const { data } = await client(caller).rest.repos.get({ owner, repo: name });
      return { id: data.id, owner: data.owner.login, name: data.name, installationId };
    },
    async missingLabels(repository, names) {
      const found = await Promise.all(
        names.map((name) => isThere(on(repository).issues.getLabel({ ...at(repository), name }))),
      );
      return names.filter((_, index) => found[index] === false);
    },
  };
}

async function isThere(asked: Promise<unknown>): Promise<boolean> {
  return (await unlessAbsent(asked.then(() => true))) ?? false;
}

/** The answer; null where GitHub says that there is nothing of that name. */
async function unlessAbsent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return null;
    throw error;
  }
}
