import { resolve } from "node:path";
import type { ReadOnlyStore } from "../../adapters/store/database.ts";
import { readSettings } from "../../config/read-settings.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Difference } from "../../domain/replay/differences.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { rememberedIdentity } from "../../server/known-identity.ts";
import type { Command, CommandContext } from "../command.ts";
import { dataDirectory, reading } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { beyondBounds } from "../replay/beyond-bounds.ts";
import { type ChangedKey, type ChangedKeys, changedKeys } from "../replay/changed-keys.ts";
import { decideAgain, type Replaying } from "../replay/decide-again.ts";
import { type Because, replayIssue } from "../replay/replay-issue.ts";
import { type ReplayedWhole, replayJson, replayText, summary } from "../replay/replay-text.ts";

/** The maximum number of issues of one call. */
const MOST_ISSUES = 1000;

export const replay: Command = {
  name: "replay",
  summary: "repeat the decisions on an issue's webhooks, and show what would differ now",
  usage: [
    "flotilla replay owner/repo#N [--config file]",
    "       flotilla replay owner/repo --last n [--config file]",
  ].join("\n"),
  details: [
    "Processes each webhook of the issue again with the installed code and the configuration, using what was known and what GitHub answered when it arrived. It writes nothing and asks GitHub nothing. Flotilla may be running or stopped.",
    "It shows what differs and, when --config names another file, which configuration keys cause it. It says where the stored record is incomplete. It cannot predict what an agent would have done next. The exit code is 0 even when something differs; `differs` in --json counts the differences.",
  ],
  options: {
    config: {
      type: "string",
      says: "use this configuration instead of the present one",
      value: "file",
    },
    last: { type: "string", says: "the last N issues that Flotilla decided about", value: "n" },
  },
  examples: [
    "flotilla replay acme/shop#42",
    "flotilla replay acme/shop#42 --config staging.yaml",
    "flotilla replay acme/shop --last 20 --config staging.yaml --json",
  ],
  async run(context) {
    const asked = askedFor(context);
    if (asked === undefined)
      return refused(
        context,
        "Run `flotilla replay owner/repo#N`, or `flotilla replay owner/repo --last 20`.",
      );
    const settings = settingsOf(context);
    if ("faults" in settings)
      return refused(
        context,
        settings.faults.join(" "),
        "`flotilla check` says more.",
        "invalid_configuration",
      );
    const identity = rememberedIdentity(dataDirectory(context));
    if (identity === undefined)
      return refused(
        context,
        "The data directory does not say who the App is.",
        "Start Flotilla once, or set FLOTILLA_DATA_DIR.",
        "not_found",
      );
    const replayed = await reading(context, async (store) => {
      const repository = await store.repositories.byName(asked.owner, asked.name);
      if (repository === undefined) return undefined;
      const replaying = { ...settings, identity, repository, knownBy: knownBy(store) };
      return replayAll(store, replaying, await issuesOf(store, repository, asked));
    });
    if (replayed === undefined)
      return refused(
        context,
        `No webhook from ${asked.owner}/${asked.name} has arrived yet.`,
        undefined,
        "not_found",
      );
    return printResult(context, `${asked.owner}/${asked.name}`, replayed);
  },
};

interface Asked {
  readonly owner: string;
  readonly name: string;
  readonly issue: number | null;
  readonly last: number;
}

function askedFor({ args, options }: CommandContext): Asked | undefined {
  const [, repository = "", issue] = /^([^#]+?)(?:#([1-9]\d{0,8}))?$/.exec(args[0] ?? "") ?? [];
  const name = parseFullName(repository);
  const last = options["last"] === undefined ? 0 : Number(options["last"]);
  if (name === undefined || args.length !== 1 || !Number.isInteger(last)) return undefined;
  if (issue !== undefined) return last === 0 ? { ...name, issue: Number(issue), last } : undefined;
  return last >= 1 && last <= MOST_ISSUES ? { ...name, issue: null, last } : undefined;
}

interface BySettings {
  readonly settings: Settings;
  /** The settings in use, if `--config` names others. */
  readonly present: Settings | null;
  /** The keys that the other configuration changes; null without one. */
  readonly changed: ChangedKeys | null;
}

function settingsOf(context: CommandContext): BySettings | { readonly faults: readonly string[] } {
  const { env, cwd, options } = context;
  const read = (file: string) => readSettings({ path: resolve(cwd, file), cwd, variables: env, ...DECLARED });
  const present = read(env["FLOTILLA_CONFIG"] || "config.yaml");
  const other = typeof options["config"] === "string" ? read(options["config"]) : undefined;
  const { settings, faults } = other ?? present;
  if (settings === undefined) return { faults };
  if (other === undefined || present.settings === undefined)
    return { settings, present: null, changed: null };
  return { settings, present: present.settings, changed: changedKeys(present.settings, settings) };
}

async function issuesOf(
  store: ReadOnlyStore,
  repository: RepositoryRow,
  { issue, last }: Asked,
): Promise<readonly number[]> {
  return issue === null ? store.replayInputs.latestIssues(repository.id, last) : [issue];
}

function replayAll(
  store: ReadOnlyStore,
  replaying: Replaying & BySettings,
  issues: readonly number[],
): Promise<readonly ReplayedWhole[]> {
  return working("deliveries are decided again", async ({ show }) => {
    const replayed: ReplayedWhole[] = [];
    for (const [index, issue] of issues.entries()) {
      show("issues are replayed", index, issues.length);
      const beyond = await beyondOf(store, replaying, issue);
      replayed.push({ ...(await replayIssue(store, replaying, issue, becauseOf(replaying))), beyond });
    }
    return replayed;
  });
}

async function beyondOf(
  store: ReadOnlyStore,
  { present, settings, repository }: Replaying & BySettings,
  issue: number,
): Promise<readonly Difference[]> {
  if (present === null) return [];
  const files = await store.repositoryFiles.all();
  const override = files.find(({ repositoryId }) => repositoryId === repository.id)?.override ?? null;
  const here = (one: Settings) => (override === null ? one : settingsFor(one, override));
  const both = { present: here(present), other: here(settings) };
  return beyondBounds(store, both, { repository, issue });
}

/**
 * Returns a function that finds the keys that make a difference: tries each changed key alone, then each
 * section.
 */
function becauseOf({ changed, ...replaying }: Replaying & BySettings): Because {
  return async (delivery, input, differs) => {
    if (changed === null) return null;
    const making = async (some: readonly ChangedKey[]): Promise<readonly string[]> => {
      const keys: string[] = [];
      for (const { key, settings } of some)
        if (await differs(await decideAgain({ ...replaying, settings }, delivery, input))) keys.push(key);
      return keys;
    };
    const keys = await making(changed.keys);
    return keys.length > 0 ? keys : making(changed.sections);
  };
}

function knownBy(store: ReadOnlyStore): Replaying["knownBy"] {
  return async (at, guids) => {
    const rows = await Promise.all(guids.map((guid) => store.deliveries.get(guid)));
    return new Set(rows.flatMap((row) => (row !== undefined && row.receivedAt <= at ? row.guid : [])));
  };
}

/** Prints the results. Returns 1 if no delivery could be decided again. */
function printResult(context: CommandContext, repository: string, all: readonly ReplayedWhole[]): number {
  const { print, options } = context;
  const none = all.every(({ deliveries }) => deliveries === 0);
  const differs = all.reduce((sum, { differing, beyond }) => sum + differing.length + beyond.length, 0);
  if (none && all.every(({ untold }) => untold.length === 0))
    return refused(
      context,
      `Nothing that came in for ${repository} is on record here.`,
      "`flotilla deliveries` lists what came in.",
      "not_found",
    );
  if (options["json"] === true) print(JSON.stringify({ repository, differs, issues: all.map(replayJson) }));
  else if (all.length === 1)
    for (const one of all) for (const line of replayText(repository, one)) print(line);
  else for (const one of all) print(`${repository}#${one.issue}: ${summary(one)}`);
  return none ? 1 : 0;
}
