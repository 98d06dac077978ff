import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositorySetup } from "../../../domain/ports/github-app.ts";
import type { Caller, Client } from "../client/client.ts";
import { at } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Room } from "../client/room.ts";
import { idShape } from "../client/shapes.ts";
import type { Tokens } from "./tokens.ts";

const shape = z.object({
  id: z.int(),
  name: z.string().min(1),
  owner: z.object({ login: z.string().min(1) }),
});

/** Creates the reads of repository settings that only people can change (REST, GitHub Apps: apps; issues: labels). */
export function createRepositorySetup(
  client: Client,
  { app, tokens }: { readonly app: Caller; readonly tokens: Pick<Tokens, "metadata"> },
  { on }: Room,
): RepositorySetup {
  const { apps } = client(app);
  return {
    isInstalled: ({ owner, name }) => isThere(apps.getRepoInstallation({ owner, repo: name })),
    async installedAt({ owner, name }) {
      const found = await unlessAbsent(readAnswer(apps.getRepoInstallation({ owner, repo: name }), idShape));
      if (found === null) return null;
      const installationId = found.id;
      const caller: Caller = {
        account: `installation ${installationId}`,
        authorization: async () => `token ${await tokens.metadata(installationId)}`,
      };
      const data = await readAnswer(client(caller).repos.get({ owner, repo: name }), shape);
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

/** Returns the answer; null if GitHub says that there is nothing with that name. */
async function unlessAbsent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return null;
    throw error;
  }
}
