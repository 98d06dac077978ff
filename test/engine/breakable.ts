import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished } from "vitest";
import { messageOf } from "../../src/domain/kernel/errors.ts";
import { FAST_DIRECTORY } from "../factories/fast-directory.ts";
import { createRig, type Rig } from "./rig.ts";

/** Runs statements as soon as no transaction of the rig holds the database. */
export type BreakRows = (sql: string) => Promise<void>;

/** A rig on a database file, and a second connection that breaks its rows by hand. */
export async function breakable(
  options: Parameters<typeof createRig>[0],
  fixed = false,
): Promise<{ rig: Rig; by: BreakRows }> {
  const directory = mkdtempSync(join(FAST_DIRECTORY, "flotilla-broken-"));
  const database = join(directory, "flotilla.db");
  const rig = await createRig({ ...options, database });
  const hand = new Database(database, { timeout: 0 });
  const ran = (sql: string): boolean => {
    try {
      hand.exec(sql);
      return true;
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code === "SQLITE_BUSY") return false;
      throw error;
    }
  };
  onTestFinished(async () => {
    hand.close();
    const ended = await rig.close().catch(messageOf);
    expect(ended ?? "").toMatch(fixed ? /^$/ : /broken invariants/);
    rmSync(directory, { recursive: true, force: true });
  });
  return { rig, by: (sql) => rig.until("the database is free", () => ran(sql)) };
}
