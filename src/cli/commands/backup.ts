import { statSync } from "node:fs";
import { resolve } from "node:path";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command } from "../command.ts";
import { databaseOf, dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { type BackedUp, backUp } from "./make-backup.ts";

export const backup: Command = {
  name: "backup",
  summary: "back up everything that cannot be recreated; Flotilla may be running",
  usage: "flotilla backup [--to directory]",
  details: [
    "Writes a complete data directory: the database with the inbox, Flotilla's own secrets and archived work. It checks the copy before it gives it its final name.",
    "It leaves out mirrors and worktrees, which Flotilla creates again (agents push their work to GitHub at each sleep), and agents' conversations.",
    "To restore: stop Flotilla, replace the data directory with the backup, and start. Flotilla then asks GitHub for what happened since.",
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
    const now = systemClock.now();
    const to = resolve(cwd, String(options["to"] ?? `${dataDir}-backups/${fileTime(now)}`));
    if (statSync(to, { throwIfNoEntry: false }) !== undefined)
      throw new OutsideError("exists", `${to} exists`, {
        consequence: "tell",
        advice: "Name a directory that does not exist yet with --to.",
      });
    const done = await working("the database is copied and checked", () =>
      backUp({ dataDir, database: databaseOf(context), to, now }),
    );
    if (options["json"] === true) print(JSON.stringify(done));
    else for (const line of words(done, dataDir)) print(line);
    return done.violations.length === 0 ? 0 : 1;
  },
};

function words(done: BackedUp, dataDir: string): readonly string[] {
  return [
    `${done.path} holds the database (${done.bytes} bytes, whole), ${done.from_journal} deliveries from the inbox's journal, and: ${done.files.join(", ")}.`,
    ...done.violations.map(
      ({ rule, table, ids }) => `The rule ${rule} is broken by ${table} ${ids.join(", ")}, there as here.`,
    ),
    `To restore: stop Flotilla; mv ${dataDir} ${dataDir}.old; cp -a ${done.path} ${dataDir}; start Flotilla.`,
    "It then has GitHub send what came since, within three days, and looks for what it had written before it writes.",
  ];
}

/** Returns a time that is valid in file names everywhere, such as `2026-01-31T12-00-00Z`. */
function fileTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
}
