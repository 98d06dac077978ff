import type { RepositoryRef } from "../kernel/repository.ts";

/** What GitHub has of the App's own settings, as its owner set them. */
export interface AppSettings {
  /** By name, such as `issues`; GitHub's levels are `read`, `write` and `admin`. */
  readonly permissions: Readonly<Record<string, string>>;
  /** Webhook events that it is subscribed to. */
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
  /** Where it is installed, each with what its owner has accepted. */
  readonly installations: readonly {
    readonly account: string;
    readonly suspended: boolean;
    /** Milliseconds since the epoch. */
    readonly installedAt: number;
    readonly permissions: Readonly<Record<string, string>>;
    readonly events: readonly string[];
  }[];
}

/** What came of one delivery. */
export interface HookOutcome {
  /** The HTTP status with which it was answered, 502 or 504 where nobody answered, 0 where it was dropped. */
  readonly statusCode: number;
  /** In GitHub's words, such as `OK` or `failed to connect to host`. */
  readonly status: string;
}

/** What of repositories people must have set up. All throw `GitHubError`. */
export interface RepositorySetup {
  /** Whether the App is installed there. */
  isInstalled(repository: Pick<RepositoryRef, "owner" | "name">): Promise<boolean>;
  /**
   * Returns the repository of that name, whether or not a webhook ever told of it; null where the App is not installed.
   */
  installedAt(name: Pick<RepositoryRef, "owner" | "name">): Promise<RepositoryRef | null>;
  /** Those of the labels that do not exist there. */
  missingLabels(repository: RepositoryRef, names: readonly string[]): Promise<readonly string[]>;
}

export interface AppSettingsReader {
  /** Throws `GitHubError`. */
  appSettings(): Promise<AppSettings>;
}

/** One attempt of GitHub to hand a webhook of the App to us. */
export interface HookAttempt {
  /** A bigint where it is beyond what a number holds exactly. */
  readonly id: number | bigint;
  /** The same for every attempt of one delivery: our inbox knows it by this. */
  readonly guid: string;
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What GitHub remembers of the webhooks that it sent to the App. Both throw `GitHubError`. */
export interface HookDeliveries {
  /** Attempts since then, whether they reached us or not, newest first. */
  hookAttempts(since: number): Promise<readonly HookAttempt[]>;
  /** Asks for one more attempt; it arrives as a webhook like any other, under the same guid. */
  redeliver(attemptId: number | bigint): Promise<void>;
}

/** How GitHub says who somebody is: the web flow of the App, with PKCE. */
export interface PersonalSignIn {
  /** Where the browser is sent. */
  authorizeUrl(asked: {
    readonly state: string;
    readonly challenge: string;
    readonly returnTo: string;
  }): string;
  /**
   * Whose code it is. The person's token is used for this one question and kept nowhere. Throws `GitHubError`.
   */
  whoIs(given: {
    readonly code: string;
    readonly verifier: string;
    readonly returnTo: string;
  }): Promise<{ readonly id: number; readonly login: string }>;
}

/** Where GitHub's limits hold something back at this moment. */
export interface GitHubWait {
  /** `app`, `installation <id>`, or `*` for every account. */
  readonly account: string;
  /** What waits: every request, or only what makes something new that people see. */
  readonly what: "everything" | "content";
  /** When it continues, milliseconds since the epoch. */
  readonly until: number;
}

/** What GitHub's limits leave to the account that has least of it. */
export interface GitHubLeft {
  /** Of this minute; 1 for a read, 5 for a write. */
  readonly points: number;
  /** Things made that people see. */
  readonly contentOfMinute: number;
  readonly contentOfHour: number;
}

/** What GitHub's limits leave; asks nothing of GitHub. */
export interface GitHubLimits {
  /** Empty while nothing is held back. */
  limitWaits(): readonly GitHubWait[];
}

export interface GitHubLeftovers {
  limitsLeft(): GitHubLeft;
}

/**
 * Sees a request to GitHub from its beginning to its end. `route` is its template as `/repos/{owner}/{repo}`, with nobody's
 * values in it. Answers and fails as the work does, and holds nothing up.
 */
export type AroundRequest = <T extends { readonly status: number }>(
  asked: { readonly method: string; readonly route: string },
  work: () => Promise<T>,
) => Promise<T>;

/** Something that is written on GitHub at most once. */
export interface Lagging {
  /**
   * Where an earlier try may have written it and its answer is lost. Until then, in milliseconds since the epoch, lists
   * may not show it: what is not found before is not written, and `GitHubError` `unseen` says when to look again.
   */
  readonly lagsUntil?: number;
}
