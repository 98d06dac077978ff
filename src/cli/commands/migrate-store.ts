import { differingTables } from "../../adapters/store/copy/copy-tables.ts";
import { lockDataDirectory } from "../../adapters/store/data-directory-lock.ts";
import type { Database } from "../../adapters/store/database.ts";
import { DATABASES, databaseIn } from "../../adapters/store/registry.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Command } from "../command.ts";
import { dataDirectory, whileReadable } from "../data-directory.ts";
import { working } from "../progress.ts";

/** The kind of database that is on a server. */
const [{ variable: VARIABLE, example: EXAMPLE } = { variable: "", example: "" }] = DATABASES.flatMap(
  ({ address }) => address ?? [],
);

export const migrateStore: Command = {
  name: "migrate-store",
  summary: "copy the database from the data directory to a server; Flotilla must be stopped",
  usage: "flotilla migrate-store --to address",
  details: [
    "Copies every row into an empty database in one transaction, and then compares both, table by table. The file in the data directory keeps its rows.",
    "Other people on this machine can see a password in the address while the command runs: put it into an environment variable instead.",
    `To move back later: stop Flotilla on all machines, run \`flotilla backup\`, move all files flotilla.db* out of the data directory, copy all files flotilla.db* of the backup into it, unset ${VARIABLE}, and start. The documentation (Move back to a file) says more, also for several machines.`,
  ],
  options: {
    to: { type: "string", value: "address", says: "the database to fill; it must exist and be empty" },
  },
  examples: [`flotilla migrate-store --to ${EXAMPLE}`, `flotilla migrate-store --to ${EXAMPLE} --json`],
  async run(context) {
    const { env, options, print } = context;
    const address = options["to"];
    if (typeof address !== "string" || address === "")
      throw new OutsideError("no_address", "there is no database to copy to", {
        consequence: "tell",
        advice: `Name it, as in --to ${EXAMPLE}.`,
      });
    const dataDir = dataDirectory(context);
    const from = databaseIn({ variables: {}, dataDir });
    const to = databaseIn({ variables: { ...env, [VARIABLE]: address }, dataDir });
    if (!(await from.exists()))
      throw new OutsideError("no_database", `there is no database at ${from.at}`, {
        consequence: "tell",
        advice: "Set FLOTILLA_DATA_DIR to the data directory.",
      });
    const unlock = lockDataDirectory(dataDir);
    try {
      const counts = await working("the rows are copied and compared", () => move(from, to));
      const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
      if (options["json"] === true)
        print(JSON.stringify({ from: from.at, to: to.at, rows, tables: Object.fromEntries(counts) }));
      else for (const line of words(from, to, { rows, tables: counts.size })) print(line);
      return 0;
    } finally {
      unlock();
    }
  },
};

/** Copies all rows; throws where a table is not the same afterwards. */
async function move(from: Database, to: Database): Promise<ReadonlyMap<string, number>> {
  // Brings the file to this version's schema, and what waits in the inbox's journal into its table.
  await (await from.open({})).close();
  return whileReadable(to, () =>
    from.snapshot(async (rows) => {
      const counts = await to.fillFrom(rows);
      const differing = await to.snapshot((copied) => differingTables(rows, copied));
      if (differing.length > 0)
        throw new OutsideError("differs", `the copy at ${to.at} differs in ${differing.join(", ")}`, {
          consequence: "tell",
          advice:
            "Do not use it: drop that database, create it again, and report this with `flotilla support`.",
        });
      return counts;
    }),
  );
}

function words(from: Database, to: Database, done: { rows: number; tables: number }): readonly string[] {
  return [
    `${to.at} holds all ${done.rows} rows of ${done.tables} tables, the same as ${from.at}.`,
    `Next: set ${VARIABLE} to that address and start Flotilla with the same data directory, which keeps worktrees and secrets.`,
    `When it works, move ${from.at} away: a start without ${VARIABLE} would use it, and it knows nothing of what happens from now on.`,
  ];
}
