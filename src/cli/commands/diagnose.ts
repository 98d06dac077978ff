import { aboutMinutes } from "../../domain/messages/format.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type {
  AppSettings,
  AppSettingsReader,
  GitHubLimits,
  GitHubWait,
} from "../../domain/ports/github-app.ts";
import type { Violation } from "../../domain/ports/settings-tables.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { keptSettings } from "../../server/kept-settings.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import { appDifferences, readManifest } from "../doctor/app-differences.ts";
import {
  type LookedAtRepositories,
  repositoryFindings,
  type WantedRepositories,
} from "../doctor/check-repositories.ts";
import { webhookHealth } from "../doctor/check-webhooks.ts";
import { failureOf } from "../doctor/failure-of.ts";
import type { Listens } from "../doctor/lost-delivery.ts";

/** What is looked at of the database. */
interface Looked {
  readonly repositories: Pick<Tables["repositories"], "all">;
  readonly repositoryFiles: Pick<Tables["repositoryFiles"], "all">;
  checkInvariants(now: number): Promise<readonly Violation[]>;
}

/**
 * What is wrong or not supported where Flotilla works: broken rules of the lifecycles, an App that GitHub does not take
 * or that is not set up as app.yml says, and what each known repository asks for that agents cannot do. Changes nothing; `now` in milliseconds since the epoch.
 */
export async function diagnose(
  store: Looked,
  github: Pick<GitHub, "identity"> & AppSettingsReader & GitHubLimits & LookedAtRepositories,
  now: number,
  wanted: Pick<WantedRepositories, "patterns"> & { readonly settings: Settings; readonly listens: Listens },
): Promise<readonly Finding[]> {
  const broken = (await store.checkInvariants(now)).map(({ rule, table, ids }) => ({
    about: "database",
    what: `the rule ${rule} is broken by ${table} ${ids.join(", ")}`,
    next:
      table === "effect"
        ? "report it with `flotilla explain` of the issues concerned; nothing is changed by itself"
        : "the agents concerned are held: `flotilla agents kill` and `flotilla agents revive` begin afresh; report it with `flotilla explain` of the issues",
  }));
  const held = github.limitWaits().map((wait) => heldBack(wait, now));
  const refused = await failureOf("GitHub", github.identity());
  const settings = github.appSettings();
  const unread = await failureOf("the App", settings);
  const app = unread === null ? found(await settings, now, wanted.listens) : [unread];
  if (refused !== null) {
    // Where no installation lends its token, a GitHub of one's own tells nobody who the App is.
    const nowhere = unread === null && (await settings).installations.every(({ suspended }) => suspended);
    return [...broken, ...held, ...(nowhere ? app : [refused])];
  }
  const known = await store.repositories.all();
  const files = await store.repositoryFiles.all();
  const settingsOf = keptSettings(wanted.settings, files);
  const { patterns } = wanted;
  const each = await repositoryFindings(github, { patterns, settingsOf, files, known });
  return [...broken, ...held, ...app, ...each];
}

function found(settings: AppSettings, now: number, listens: Listens): readonly Finding[] {
  return [...appDifferences(settings, readManifest()), ...webhookHealth(settings, now, listens)];
}

function heldBack({ account, what, until }: GitHubWait, now: number): Finding {
  const who = account === "*" ? "any account" : account;
  const nothing = what === "everything" ? "no request" : "no new comment, label or pull request";
  return {
    about: "GitHub's limits",
    what: `leave ${nothing} of ${who} now`,
    next: `Nothing to do: it continues ${aboutMinutes(until - now)}`,
  };
}
