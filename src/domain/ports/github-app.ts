import type { RepositoryRef } from "../kernel/repository.ts";
import type { TokenPurpose } from "./token-tables.ts";

/** The App's own settings on GitHub, as its owner set them. */
export interface AppSettings {
  /** By name, such as `issues`; GitHub's levels are `read`, `write` and `admin`. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Webhook events that the App is subscribed to. */
  readonly events: readonly string[];
  readonly hook: {
    /** Empty where none is set. */
    readonly url: string;
    readonly hasSecret: boolean;
    /** `json` or `form`. */
    readonly contentType: string;
    /** False where GitHub does not check the certificate of the address. */
    readonly verifiesTls: boolean;
    /** The last deliveries, the newest first; at most a hundred of the last three days. */
    readonly latest: readonly HookOutcome[];
  };
  /** Where the App is installed, each with the permissions that its owner accepted. */
  readonly installations: readonly {
    readonly account: string;
    readonly suspended: boolean;
    /** Milliseconds since the epoch. */
    readonly installedAt: number;
    readonly permissions: Readonly<Record<string, string>>;
    readonly events: readonly string[];
  }[];
}

/** The outcome of one delivery. */
export interface HookOutcome {
  /** The HTTP status of the answer; 502 or 504 where nobody answered, 0 where the delivery was dropped. */
  readonly statusCode: number;
  /** In GitHub's words, such as `OK` or `failed to connect to host`. */
  readonly status: string;
}

/** What people must have set up in repositories. All methods throw `GitHubError`. */
export interface RepositorySetup {
  /** Returns whether the App is installed there. */
  isInstalled(repository: Pick<RepositoryRef, "owner" | "name">): Promise<boolean>;
  /**
   * Returns the repository of that name, whether or not a webhook ever named it; null where the App is not installed.
   */
  installedAt(name: Pick<RepositoryRef, "owner" | "name">): Promise<RepositoryRef | null>;
  /** Returns those of the labels that do not exist there. */
  missingLabels(repository: RepositoryRef, names: readonly string[]): Promise<readonly string[]>;
}

export interface AppSettingsReader {
  /** Throws `GitHubError`. */
  appSettings(): Promise<AppSettings>;
}

/** One attempt of GitHub to deliver a webhook of the App to us. */
export interface HookAttempt {
  /** A bigint where a number cannot hold it exactly. */
  readonly id: number | bigint;
  /** The same for every attempt of one delivery; the inbox identifies the delivery by it. */
  readonly guid: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** GitHub's record of the webhooks that it sent to the App. Both methods throw `GitHubError`. */
export interface HookDeliveries {
  /** Returns the attempts since then, delivered or not, newest first. */
  hookAttempts(since: number): Promise<readonly HookAttempt[]>;
  /** Requests one more attempt; it arrives as an ordinary webhook, with the same guid. */
  redeliver(attemptId: number | bigint): Promise<void>;
}

/** How GitHub identifies a person: the web flow of the App, with PKCE. */
export interface PersonalSignIn {
  /** Returns the address to which the browser is sent. */
  authorizeUrl(asked: {
    readonly state: string;
    readonly challenge: string;
    readonly returnTo: string;
  }): string;
  /**
   * Returns the person whose code it is. The person's token is used for this one request and not stored. Throws
   * `GitHubError`.
   */
  whoIs(given: {
    readonly code: string;
    readonly verifier: string;
    readonly returnTo: string;
  }): Promise<{ readonly id: number; readonly login: string }>;
}

/** A limit of GitHub that makes requests wait at this moment. */
export interface GitHubWait {
  /** `app`, `installation <id>`, or `*` for every account. */
  readonly account: string;
  /** What waits: every request, or only those that create content that people see. */
  readonly what: "everything" | "content";
  /** When the wait ends, milliseconds since the epoch. */
  readonly until: number;
}

/** What GitHub's limits leave to the account that has the least left. */
export interface GitHubLeft {
  /** Points of this minute; a read costs 1, a write 5. */
  readonly points: number;
  /** Number of things that people see and that may still be created in this minute. */
  readonly contentOfMinute: number;
  readonly contentOfHour: number;
}

/** What GitHub's limits leave; sends no request to GitHub. */
export interface GitHubLimits {
  /** Empty while nothing waits. */
  limitWaits(): readonly GitHubWait[];
}

/** An agent that would begin: the `start` of work on an issue, or the `wake` of one that has begun. */
export type GitHubWork = "start" | "wake";

export interface GitHubRoom {
  /**
   * Returns until when (milliseconds since the epoch) GitHub's limits leave the installation no room for another agent at
   * work; null where they do. Without an installation, that with the least room.
   */
  noRoomUntil(installationId: number | null, work: GitHubWork): number | null;
}

export interface GitHubLeftovers {
  limitsLeft(): GitHubLeft;
}

/**
 * Wraps a request to GitHub from its beginning to its end. `route` is its template such as `/repos/{owner}/{repo}`,
 * without values. Returns and fails as the work does, without delay.
 */
export type AroundRequest = <T extends { readonly status: number }>(
  asked: { readonly method: string; readonly route: string },
  work: () => Promise<T>,
) => Promise<T>;

/** A write that must reach GitHub at most once. */
export interface Lagging {
  /**
   * Given where an earlier try may have written it and its answer was lost. Until then, in milliseconds since the
   * epoch, GitHub's lists may not show it: if it is not found before that, nothing is written, and `GitHubError`
   * `unseen` says when to check again.
   */
  readonly lagsUntil?: number;
}

/**
 * What a token is for that another machine gets: `git` = contents of the repository, `agents` = what agents read, and
 * their pull requests, `reading` = what the dashboard reads.
 */
export type TokenUse = "git" | "agents" | "reading";

/** Tokens for machines without the App's key. */
export interface NodeTokens {
  /** Makes a token of this one repository; `expiresAt` in milliseconds since the epoch. Throws `GitHubError`. */
  tokenFor(
    repository: RepositoryRef,
    use: TokenUse,
  ): Promise<{ readonly token: string; readonly expiresAt: number }>;
}

/** Asks a controller for a token of one repository, on a machine without the App's key. Throws `GitHubError`. */
export type AskForToken = (wanted: {
  readonly purpose: TokenPurpose;
  readonly repositoryId: number;
}) => Promise<{ readonly token: string; readonly expiresAt: number }>;
