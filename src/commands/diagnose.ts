import { messageOf, OutsideError } from "../core/errors.ts";
import type { AppSettingsReader } from "../core/ports/app-settings.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { Tables } from "../core/ports/store.ts";
import { NOTHING } from "../core/reaction.ts";
import { fullName } from "../core/repository.ts";
import { withinLimits } from "../core/repository-limits.ts";
import type { Violation } from "../store/invariants.ts";
import { appDifferences, readManifest } from "./app-differences.ts";
import type { Finding } from "./start-checks/finding.ts";

/** What is looked at of the database. */
interface Looked {
  readonly repositories: Pick<Tables["repositories"], "all">;
  checkInvariants(now: number): Promise<readonly Violation[]>;
}

/**
 * What is wrong or not supported where Flotilla works: broken rules of the lifecycles, an App that GitHub does not take
 * or that is not set up as app.yml says, and what each known repository asks for that agents cannot do. Changes nothing; `now` in milliseconds since the epoch.
 */
export async function diagnose(
  store: Looked,
  github: Pick<GitHub, "identity" | "repositoryLimits"> & AppSettingsReader,
  now: number,
): Promise<readonly Finding[]> {
  const broken = (await store.checkInvariants(now)).map(({ rule, table, ids }) => ({
    about: "database",
    what: `the rule ${rule} is broken by ${table} ${ids.join(", ")}`,
    next: "report it with `flotilla explain` of the issues concerned; nothing is changed by itself",
  }));
  const refused = await failureOf("GitHub", github.identity());
  if (refused !== null) return [...broken, refused];
  const settings = github.appSettings();
  const unread = await failureOf("the App", settings);
  const app = unread === null ? appDifferences(await settings, readManifest()) : [unread];
  const limits = await Promise.all(
    (await store.repositories.all()).map(async (repository) => {
      const about = fullName(repository);
      const { defaultBranch } = repository;
      const asked = github.repositoryLimits(repository, defaultBranch);
      const failed = await failureOf(about, asked);
      if (failed !== null) return [failed];
      const { decisions } = withinLimits(NOTHING, await asked, defaultBranch);
      return decisions.map(({ reason, change }) => ({ about, what: reason, next: change ?? "" }));
    }),
  );
  return [...broken, ...app, ...limits.flat()];
}

async function failureOf(about: string, asked: Promise<unknown>): Promise<Finding | null> {
  try {
    await asked;
    return null;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return { about, what: messageOf(error), next: error.advice ?? "try again later" };
  }
}
