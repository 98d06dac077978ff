import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import type { Caller, Client } from "../client/client.ts";
import { pages } from "../client/pages.ts";
import { readAnswer } from "../client/read-answer.ts";
import type { Tokens } from "./tokens.ts";

const appShape = z.object({ id: z.int(), slug: z.string().nullish() });
const botShape = z.object({ id: z.int(), login: z.string().min(1) });
const installationShape = z.object({ id: z.int(), suspended_at: z.string().nullish() });

type Identity = Awaited<ReturnType<GitHub["identity"]>>;

/** Creates the read of the App's identity, which is requested once; after a failure the next call requests it again. */
export function createIdentity(options: { client: Client; app: Caller; tokens: Tokens }): GitHub["identity"] {
  let known: Promise<Identity> | undefined;
  return () => {
    known ??= readIdentity(options).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

async function readIdentity(options: { client: Client; app: Caller; tokens: Tokens }): Promise<Identity> {
  const app = await readAnswer(options.client(options.app).apps.getAuthenticated(), appShape);
  if (!app.slug) {
    throw new GitHubError("invalid", "The answer to GET /app names no slug of this App", 200, {
      consequence: "tell",
      advice: "Check that APP_ID belongs to a GitHub App and not to an OAuth App.",
    });
  }
  const reader = await anyReader(options);
  const asked = options.client(reader).users.getByUsername({ username: `${app.slug}[bot]` });
  const bot = await readAnswer(asked, botShape);
  return { slug: app.slug, appId: app.id, botLogin: bot.login, botId: bot.id };
}

/**
 * The App's own token may not read users. An installation's token may; without one, we ask anonymously, which
 * github.com allows.
 */
async function anyReader(options: { client: Client; app: Caller; tokens: Tokens }): Promise<Caller> {
  const { apps } = options.client(options.app);
  for await (const installation of pages(
    (page) => apps.listInstallations(page),
    z.array(installationShape),
  )) {
    if (installation.suspended_at) continue;
    const token = await options.tokens.metadata(installation.id);
    return { account: `installation ${installation.id}`, authorization: async () => `token ${token}` };
  }
  return { account: "app", authorization: async () => undefined };
}
