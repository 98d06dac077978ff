import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished } from "vitest";
import { messageOf } from "../../src/domain/kernel/errors.ts";
import { createRig, type Rig } from "./rig.ts";

export type BreakRows = (sql: string) => void;

/** A rig on a database file, and a second connection that breaks its rows by hand. */
export async function breakable(
  options: Parameters<typeof createRig>[0],
  fixed = false,
): Promise<{ rig: Rig; by: BreakRows }> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-broken-"));
  const database = join(directory, "flotilla.db");
  const rig = await createRig({ ...options, database });
  const hand = new Database(database);
  onTestFinished(async () => {
    hand.close();
    const ended = await rig.close().catch(messageOf);
    expect(ended ?? "").toMatch(fixed ? /^$/ : /broken invariants/);
    rmSync(directory, { recursive: true, force: true });
  });
  return { rig, by: (sql) => void hand.exec(sql) };
}
