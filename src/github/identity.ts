import { GitHubError } from "../core/errors.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { Caller, Client } from "./client.ts";
import { pages } from "./pages.ts";
import type { Tokens } from "./tokens.ts";

type Identity = Awaited<ReturnType<GitHub["identity"]>>;

/** Who the App is, asked once; a failure is asked again by the next call. */
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
  const { data: app } = await options.client(options.app).rest.apps.getAuthenticated();
  if (!app?.slug) {
    throw new GitHubError("invalid", "GitHub told no slug for this App", 200, {
      consequence: "tell",
      advice: "Check that APP_ID belongs to a GitHub App and not to an OAuth App.",
    });
  }
  const reader = await anyReader(options);
  const { data: bot } = await options
    .client(reader)
    .rest.users.getByUsername({ username: `${app.slug}[bot]` });
  return { slug: app.slug, appId: app.id, botLogin: bot.login, botId: bot.id };
}

/** The App's own token may not read users: an installation's may, and before there is one, nobody's does on github.com. */
async function anyReader(options: { client: Client; app: Caller; tokens: Tokens }): Promise<Caller> {
  const { apps } = options.client(options.app).rest;
  for await (const installation of pages((page) => apps.listInstallations(page))) {
    if (installation.suspended_at) continue;
    const token = await options.tokens.metadata(installation.id);
    return { account: `installation ${installation.id}`, authorization: async () => `token ${token}` };
  }
  return { account: "app", authorization: async () => undefined };
}
