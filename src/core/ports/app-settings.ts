import type { RepositoryRef } from "../repository.ts";

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
  /** The repository of that name, whether or not a webhook ever told of it; null where the App is not installed. */
  installedAt(name: Pick<RepositoryRef, "owner" | "name">): Promise<RepositoryRef | null>;
  /** Those of the labels that do not exist there. */
  missingLabels(repository: RepositoryRef, names: readonly string[]): Promise<readonly string[]>;
}

export interface AppSettingsReader {
  /** Throws `GitHubError`. */
  appSettings(): Promise<AppSettings>;
}
