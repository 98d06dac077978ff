import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DATABASES } from "../../adapters/store/registry.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command } from "../command.ts";
import { databaseOf, dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { type BackedUp, backUp } from "./make-backup.ts";

/** The variables that name a database on a server. */
const VARIABLES = DATABASES.flatMap(({ address }) => address?.variable ?? []).join(", ");

export const backup: Command = {
  name: "backup",
  summary: "back up everything that cannot be recreated; Flotilla may be running",
  usage: "flotilla backup [--to directory]",
  details: [
    "Writes a complete data directory: the database with the inbox, Flotilla's own secrets and archived work. It checks the copy before it gives it its final name.",
    "It leaves out mirrors and worktrees, which Flotilla creates again from the branches and checkpoints on GitHub. Agents' conversations are in the database.",
    "The copy holds the database as a file, also when it is on a server.",
    `To restore: stop Flotilla, replace the data directory with the backup, unset ${VARIABLES} if it is set, and start. Flotilla then asks GitHub for what happened since.`,
  ],
  options: {
    to: {
      type: "string",
      value: "directory",
      says: "where to write; must not exist yet; the default is <data directory>-backups/<time>",
    },
  },
  examples: ["flotilla backup", "flotilla backup --to /srv/backups/flotilla-monday --json"],
  async run(context) {
    const { cwd, options, print } = context;
    const dataDir = dataDirectory(context);
    const database = databaseOf(context);
    const now = systemClock.now();
    const to = resolve(cwd, String(options["to"] ?? `${dataDir}-backups/${fileTime(now)}`));
    if (statSync(to, { throwIfNoEntry: false }) !== undefined)
      throw new OutsideError("exists", `${to} exists`, {
        consequence: "tell",
        advice: "Name a directory that does not exist yet with --to.",
      });
    const done = await working("the database is copied and checked", () =>
      backUp({ dataDir, database, to, now }),
    );
    if (options["json"] === true) print(JSON.stringify(done));
    else for (const line of words(done, { dataDir, isFile: database.files.length > 0 })) print(line);
    return done.violations.length === 0 ? 0 : 1;
  },
};

function words(
  done: BackedUp,
  { dataDir, isFile }: { readonly dataDir: string; readonly isFile: boolean },
): readonly string[] {
  const journal = isFile ? [`${done.from_journal} deliveries from the inbox's journal`] : [];
  const held = [`the database (${done.bytes} bytes, whole)`, ...journal, ...done.files];
  return [
    `${done.path} holds: ${held.join(", ")}.`,
    ...done.violations.map(
      ({ rule, table, ids }) => `The rule ${rule} is broken by ${table} ${ids.join(", ")}, there as here.`,
    ),
    `To restore: stop Flotilla; ${isFile ? "" : `unset ${VARIABLES}, because this copy is a file; `}mv ${dataDir} ${dataDir}.old; cp -a ${done.path} ${dataDir}; start Flotilla.`,
    "It then asks GitHub for what came since, up to three days back, and looks for what it has already written before it writes again.",
  ];
}

/** Returns a time that is valid in file names everywhere, such as `2026-01-31T12-00-00Z`. */
function fileTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}
