import type { RestEndpointMethodTypes } from "@octokit/rest";
import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { AskForToken, NodeTokens, TokenUse } from "../../../domain/ports/github-app.ts";
import type { Caller, Client } from "../client/client.ts";
import { readAnswer } from "../client/read-answer.ts";
import { momentShape } from "../client/shapes.ts";

type Permissions = NonNullable<
  NonNullable<RestEndpointMethodTypes["apps"]["createInstallationAccessToken"]["parameters"]>["permissions"]
>;

/** A token and its expiry in milliseconds since the epoch. */
interface Token {
  readonly token: string;
  readonly mintedAt: number;
  readonly expiresAt: number;
}

/** Tokens of installations, each for one repository and only the permissions that its use needs. */
export interface Tokens {
  /**
   * Returns the caller for the repository's installation; `beside` adds one more repository of the same installation.
   */
  caller(repository: RepositoryRef, beside?: RepositoryRef): Caller;
  /** Returns the caller that merges pull requests and makes no other requests. */
  merger(repository: RepositoryRef): Caller;
  /** Returns the caller that creates commits and branches over REST and makes no other requests. */
  committer(repository: RepositoryRef): Caller;
  /** Returns the caller that makes over REST what `git` else pushes. */
  pusher(repository: RepositoryRef): Caller;
  /**
   * Returns a token for git over HTTP: only this repository's contents; at most a minute old, so that it outlasts any
   * transfer.
   */
  git(repository: RepositoryRef): Promise<string>;
  /** Returns a token that can read public data, for the given installation. */
  metadata(installationId: number): Promise<string>;
  /** Makes a token for another machine, which keeps it. */
  forNode: NodeTokens["tokenFor"];
}

const FOR_API: Permissions = {
  metadata: "read",
  contents: "read",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  actions: "write",
  statuses: "read",
};
const FOR_MERGES: Permissions = { metadata: "read", contents: "write", pull_requests: "write" };
const FOR_GIT: Permissions = { metadata: "read", contents: "write" };
/** What a machine without the App's key may do for its agents, and for the dashboard. */
const FOR_AGENTS: Permissions = {
  metadata: "read",
  contents: "read",
  issues: "read",
  pull_requests: "write",
  checks: "read",
  actions: "read",
  statuses: "read",
};
const FOR_READING: Permissions = {
  metadata: "read",
  contents: "read",
  issues: "read",
  pull_requests: "read",
};
const OF_USE: Readonly<Record<TokenUse, Permissions>> = {
  git: FOR_GIT,
  agents: FOR_AGENTS,
  reading: FOR_READING,
};
const shape = z.object({ token: z.string().min(1), expires_at: momentShape });
const RENEW_BEFORE_MS = 5 * 60_000;
const GIT_TOKEN_AGE_MS = 60_000;
/**
 * For so long GitHub is not asked again for a token that it refused: many deliveries may wait for the same one. Shorter than
 * a person needs who reads why, grants it, and comes back.
 */
const REFUSED_MS = 10_000;

export function createTokens(options: {
  readonly client: Client;
  readonly app: Caller;
  readonly clock: Clock;
  readonly minted: (token: string, until: number) => void;
  /** Where this machine has no key of the App. */
  readonly ask?: AskForToken | undefined;
}): Tokens {
  const { clock, ask } = options;
  const apps = options.client(options.app).apps;
  // Promises, so that concurrent calls share one request. A failed one is dropped.
  const minted = new Map<string, Promise<Token>>();
  const refusals = new Map<string, { readonly error: GitHubError; readonly until: number }>();

  async function mint(
    installationId: number,
    permissions: Permissions,
    repositories?: readonly number[],
  ): Promise<Token> {
    const asked = apps.createInstallationAccessToken({
      installation_id: installationId,
      permissions,
      ...(repositories === undefined ? {} : { repository_ids: [...repositories] }),
    });
    const data = await readAnswer(asked, shape).catch((error: unknown) => Promise.reject(explained(error)));
    const expiresAt = Date.parse(data.expires_at);
    // Called before the token is used: from now on an error may contain it, and must be redacted.
    options.minted(data.token, expiresAt);
    return { token: data.token, mintedAt: clock.now(), expiresAt };
  }

  /** Makes a token for this machine. Without the App's key it has the permissions that a controller gives. */
  async function own(
    purpose: "api" | "merge" | "commit" | "git",
    permissions: Permissions,
    { installationId, ids }: { readonly installationId: number; readonly ids: readonly number[] },
  ): Promise<Token> {
    if (ask === undefined) return mint(installationId, permissions, ids);
    const [repositoryId] = ids;
    if (purpose === "merge" || purpose === "commit" || repositoryId === undefined) throw noKey();
    const { token, expiresAt } = await ask({ purpose, repositoryId });
    options.minted(token, expiresAt);
    return { token, mintedAt: clock.now(), expiresAt };
  }

  async function kept(key: string, stillGood: (token: Token) => boolean, make: () => Promise<Token>) {
    const known = minted.get(key);
    if (known) {
      const token = await known;
      if (stillGood(token)) return token.token;
      // Another caller may have started to renew it in the meantime.
      const renewed = minted.get(key);
      if (renewed && renewed !== known) return (await renewed).token;
    }
    const refusal = refusals.get(key);
    if (refusal !== undefined && clock.now() < refusal.until) throw refusal.error;
    refusals.delete(key);
    const coming = make();
    minted.set(key, coming);
    coming.catch((error: unknown) => {
      if (minted.get(key) === coming) minted.delete(key);
      if (isRefusal(error)) refusals.set(key, { error, until: clock.now() + REFUSED_MS });
    });
    return (await coming).token;
  }

  /**
   * Drops all tokens of the installation: a refused token was revoked, and with it all others, including those for git.
   */
  function forget(installationId: number): void {
    for (const answers of [minted, refusals])
      for (const key of answers.keys()) if (key.split(" ")[1] === String(installationId)) answers.delete(key);
  }

  /** Creates a caller. `purpose` separates its tokens from those with other permissions. */
  function callerWith(
    purpose: "api" | "merge" | "commit" | "git",
    permissions: Permissions,
    { installationId, ids }: { readonly installationId: number; readonly ids: readonly number[] },
  ): Caller {
    return {
      account: `installation ${installationId}`,
      async authorization(fresh) {
        if (fresh) forget(installationId);
        const token = await kept(
          `${purpose} ${installationId} ${ids.join(" ")}`,
          ({ expiresAt }) => expiresAt - RENEW_BEFORE_MS > clock.now(),
          () => own(purpose, permissions, { installationId, ids }),
        );
        return `token ${token}`;
      },
    };
  }

  return {
    caller(repository, beside = repository) {
      const { installationId, id } = repository;
      const both = beside.installationId === installationId && beside.id !== id;
      return callerWith("api", FOR_API, { installationId, ids: both ? [id, beside.id] : [id] });
    },
    merger: ({ installationId, id }) => ({
      ...callerWith("merge", FOR_MERGES, { installationId, ids: [id] }),
      once: true,
    }),
    committer: ({ installationId, id }) => callerWith("commit", FOR_GIT, { installationId, ids: [id] }),
    pusher: ({ installationId, id }) => callerWith("git", FOR_GIT, { installationId, ids: [id] }),
    git(repository) {
      return kept(
        `git ${repository.installationId} ${repository.id}`,
        ({ mintedAt }) => mintedAt + GIT_TOKEN_AGE_MS > clock.now(),
        () => own("git", FOR_GIT, { installationId: repository.installationId, ids: [repository.id] }),
      );
    },
    async metadata(installationId) {
      return (await mint(installationId, { metadata: "read" })).token;
    },
    forNode: ({ installationId, id }, use) => mint(installationId, OF_USE[use], [id]),
  };
}

/** Returns whether GitHub would give the same answer at once. */
function isRefusal(error: unknown): error is GitHubError {
  return error instanceof GitHubError && (error.code === "not_found" || error.code === "forbidden");
}

/** A machine without the App's key did what only a controller does. */
export function noKey(): GitHubError {
  return new GitHubError("forbidden", "This machine has no key of the App", 0, {
    consequence: "tell",
    uncertain: false,
    advice: "Set PRIVATE_KEY_PATH, or start Flotilla without the role that needs the key.",
  });
}

/** GitHub answers 422 if the installation has not been granted a requested permission. */
function explained(error: unknown): unknown {
  if (!(error instanceof GitHubError) || error.status !== 422) return error;
  return new GitHubError("forbidden", error.message, error.status, {
    consequence: "tell",
    advice:
      "Grant the App the permissions that app.yml lists, accept them in the installation, and check that it covers this repository.",
  });
}
