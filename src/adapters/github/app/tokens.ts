import type { RestEndpointMethodTypes } from "@octokit/rest";
import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
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
  /**
   * Returns a token for git over HTTP: only this repository's contents; at most a minute old, so that it outlasts any
   * transfer.
   */
  git(repository: RepositoryRef): Promise<string>;
  /** Returns a token that can read public data, for the given installation. */
  metadata(installationId: number): Promise<string>;
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
const shape = z.object({ token: z.string().min(1), expires_at: momentShape });
const RENEW_BEFORE_MS = 5 * 60_000;
const GIT_TOKEN_AGE_MS = 60_000;

export function createTokens(options: {
  readonly client: Client;
  readonly app: Caller;
  readonly clock: Clock;
  readonly minted: (token: string, until: number) => void;
}): Tokens {
  const { clock } = options;
  const apps = options.client(options.app).apps;
  // Promises, so that concurrent calls share one request. A failed one is dropped.
  const minted = new Map<string, Promise<Token>>();

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

  async function kept(key: string, stillGood: (token: Token) => boolean, make: () => Promise<Token>) {
    const known = minted.get(key);
    if (known) {
      const token = await known;
      if (stillGood(token)) return token.token;
      // Another caller may have started to renew it in the meantime.
      const renewed = minted.get(key);
      if (renewed && renewed !== known) return (await renewed).token;
    }
    const coming = make();
    minted.set(key, coming);
    coming.catch(() => minted.get(key) === coming && minted.delete(key));
    return (await coming).token;
  }

  /**
   * Drops all tokens of the installation: a refused token was revoked, and with it all others, including those for git.
   */
  function forget(installationId: number): void {
    for (const key of minted.keys()) if (key.split(" ")[1] === String(installationId)) minted.delete(key);
  }

  /** Creates a caller. `purpose` separates its tokens from those with other permissions. */
  function callerWith(
    purpose: string,
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
          () => mint(installationId, permissions, ids),
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
    git(repository) {
      return kept(
        `git ${repository.installationId} ${repository.id}`,
        ({ mintedAt }) => mintedAt + GIT_TOKEN_AGE_MS > clock.now(),
        () => mint(repository.installationId, FOR_GIT, [repository.id]),
      );
    },
    async metadata(installationId) {
      return (await mint(installationId, { metadata: "read" })).token;
    },
  };
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
