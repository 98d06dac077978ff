import { messageOf, OutsideError } from "../core/errors.ts";
import type { AppSettingsReader } from "../core/ports/app-settings.ts";
import type { GitHub } from "../core/ports/github.ts";
import type { GitHubLimits, GitHubWait } from "../core/ports/github-limits.ts";
import type { Tables } from "../core/ports/store.ts";
import { NOTHING } from "../core/reaction.ts";
import { fullName } from "../core/repository.ts";
import { withinLimits } from "../core/repository-limits.ts";
import { aboutMinutes } from "../core/text/about-minutes.ts";
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
  github: Pick<GitHub, "identity" | "repositoryLimits"> & AppSettingsReader & GitHubLimits,
  now: number,
): Promise<readonly Finding[]> {
  const broken = (await store.checkInvariants(now)).map(({ rule, table, ids }) => ({
    about: "database",
    what: `the rule ${rule} is broken by ${table} ${ids.join(", ")}`,
    next: "report it with `flotilla explain` of the issues concerned; nothing is changed by itself",
  }));
  const held = github.limitWaits().map((wait) => heldBack(wait, now));
  const refused = await failureOf("GitHub", github.identity());
  if (refused !== null) return [...broken, ...held, refused];
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
  return [...broken, ...held, ...app, ...limits.flat()];
}

function heldBack({ account, what, until }: GitHubWait, now: number): Finding {
  const who = account === "*" ? "any account" : account;
  const nothing = what === "everything" ? "no request" : "no new comment, label or pull request";
  return {
    about: "GitHub's limits",
    what: `leave ${nothing} of ${who} now`,
    next: `Nothing to do: it goes on ${aboutMinutes(until - now)}`,
  };
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
