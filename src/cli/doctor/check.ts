import type { Config } from "../../config/load-config.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type {
  AppSettings,
  AppSettingsReader,
  GitHubLimits,
  RepositorySetup,
} from "../../domain/ports/github-app.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { failureOf } from "./failure-of.ts";
import type { Listens } from "./lost-delivery.ts";

/** The tables that checks read. */
export interface DoctorStore {
  readonly repositories: Pick<Tables["repositories"], "all">;
  readonly repositoryFiles: Pick<Tables["repositoryFiles"], "all">;
  checkInvariants(now: number): Promise<readonly Violation[]>;
}

/** The calls to GitHub that checks make. */
export type DoctorGitHub = Pick<GitHub, "identity" | "hasBranch" | "repositoryLimits"> &
  AppSettingsReader &
  GitHubLimits &
  RepositorySetup;

export interface Examined {
  readonly config: Settings & {
    readonly environment: Listens;
    readonly secrets: Pick<Config["secrets"], "provider" | "providers" | "collector" | "registries">;
  };
  readonly dataDir: string;
  /** Faults of the database; empty if there is no database. */
  readonly damage: readonly Finding[];
  /** Whether there is a readable database. */
  readonly hasStore: boolean;
  /** Reads as empty if there is no readable database. */
  readonly store: DoctorStore;
  readonly github: DoctorGitHub;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface CheckContext extends Examined {
  /** Returns why GitHub refuses the App; null where it accepts it. Requested once. */
  readonly refusal: Promise<Finding | null>;
  /** Returns the App's settings on GitHub, or why they cannot be used. Requested once. */
  readonly app: Promise<{ readonly settings: AppSettings } | { readonly fault: Finding }>;
}

/** Finds faults and unsupported settings, each with its remedy. Changes nothing. */
export type Check = (context: CheckContext) => Promise<readonly Finding[]>;

export function createCheckContext(examined: Examined): CheckContext {
  const { github } = examined;
  const refusal = failureOf("GitHub", github.identity());
  return { ...examined, refusal, app: readApp(github, refusal) };
}

async function readApp(
  github: AppSettingsReader,
  refusal: CheckContext["refusal"],
): Promise<Awaited<CheckContext["app"]>> {
  const refused = await refusal;
  const asked = github.appSettings();
  const unread = await failureOf("the App", asked);
  if (unread !== null) return { fault: refused ?? unread };
  const settings = await asked;
  // If no installation lends its token, GitHub Enterprise Server does not say who the App is.
  const isNowhere = settings.installations.every(({ suspended }) => suspended);
  return refused === null || isNowhere ? { settings } : { fault: refused };
}
