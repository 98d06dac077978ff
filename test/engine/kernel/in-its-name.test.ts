import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../adapters/store/temporary.ts";
import { MINUTE } from "../../factories/moment.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { blocked, edit, escalate, on, work } from "../scripts.ts";

const TABLES = ["transition", "decision", "effect", "wake"];

it("writes all that a delivery causes in its name, whichever subject adds it", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const script = [on(1, ...work), on(2, edit(), blocked(3), ...work), on(3, escalate, ...work)];
  const rig = await aRig({ script, database: path });
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  await tell(rig, said(rig, 3, "/flotilla answer Yes."));
  await tell(rig, said(rig, 2, "/flotilla why"));
  await tell(rig, closed(rig, 3));
  await rig.pass(MINUTE);
  await tell(rig, closed(rig, 1));
  const database = new SqliteDatabase(path, { readonly: true });
  // There is one writer here, so the rows of a transaction are those between its beginning and its end.
  for (const table of TABLES) {
    const within = database
      .prepare<[], { written: number; named: number }>(
        `SELECT count(*) AS written, sum(${table}.delivery IS replay_input.guid) AS named
         FROM replay_input JOIN ${table}
         ON ${table}.id > json_extract(began, '$.${table}') AND ${table}.id <= json_extract(ended, '$.${table}')`,
      )
      .get();
    expect([table, within?.named]).toEqual([table, within?.written]);
    expect([table, within?.written]).not.toEqual([table, 0]);
  }
  database.close();
});
