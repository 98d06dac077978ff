import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect, test } from "vitest";
import type { OpenStore } from "../../../src/adapters/store/database.ts";
import { UnreadableRow } from "../../../src/adapters/store/sql/codec.ts";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { delivery, insertAgent } from "./samples.ts";
import { temporaryDirectory } from "./temporary.ts";

/** A store in which somebody changed rows by hand, past the checks of the database. */
async function tampered(path: string, sql: string): Promise<OpenStore> {
  const raw = new SqliteDatabase(path);
  raw.pragma("ignore_check_constraints = ON");
  raw.exec(sql);
  raw.close();
  return openStore({ path });
}

test.each([
  ["an unknown state", "UPDATE agent SET state = 'DREAMING'", /agent 1 cannot be read: .*state/s],
  ["a list that is no JSON", "UPDATE agent SET held_by = '[oops'", /agent 1 cannot be read: heldBy/],
  ["a flag that is neither 0 nor 1", "UPDATE agent SET coder = 2", /agent 1 cannot be read: .*coder/s],
])("a record with %s is refused, naming table and id", async (_, sql, message) => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  const { id } = await insertAgent(store);
  await store.close();
  const reopened = await tampered(path, sql);
  const reading = reopened.records.get("agent", id);
  await expect(reading).rejects.toThrow(UnreadableRow);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toMatchObject({ table: "agent", id: "1", consequence: "tell" });
  await reopened.close();
});

test("a delivery with an unknown state is named by its guid", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  await store.deliveries.insert([delivery({ guid: "72d3162e" })]);
  await store.close();
  const reopened = await tampered(path, "UPDATE delivery SET state = 'lost'");
  await expect(reopened.deliveries.get("72d3162e")).rejects.toThrow("delivery 72d3162e cannot be read");
  await reopened.close();
});

test("the database itself refuses a state that no machine has", async () => {
  const path = join(temporaryDirectory(), "flotilla.db");
  const store = await openStore({ path });
  await insertAgent(store);
  await store.close();
  const raw = new SqliteDatabase(path);
  expect(() => raw.exec("UPDATE agent SET state = 'DREAMING'")).toThrow("CHECK constraint");
  raw.close();
});
