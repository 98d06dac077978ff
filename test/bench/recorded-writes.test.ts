import SqliteDatabase, { type Database } from "better-sqlite3";
import { expect, it } from "vitest";
import { recordingWrites, replayer, type Write } from "../../bench/recorded-writes.ts";

function withTable(): Database {
  const database = new SqliteDatabase(":memory:");
  database.exec("CREATE TABLE paper (id INTEGER PRIMARY KEY, colour TEXT)");
  return database;
}

function rows(database: Database): readonly unknown[] {
  return database.prepare("SELECT * FROM paper ORDER BY id").all();
}

it("the writes of one database make the same rows in another, and what is read or bounds a transaction is none", () => {
  const writes: Write[] = [];
  const original = withTable();
  const recording = recordingWrites(original, writes);
  recording.prepare("begin immediate").run();
  recording.prepare("INSERT INTO paper (colour) VALUES (?) RETURNING id").all(["red"]);
  recording.prepare("INSERT INTO paper (colour) VALUES (@colour)").run({ colour: "blue" });
  recording.prepare("UPDATE paper SET colour = ? WHERE id = ?").run("green", 1);
  recording.prepare("SELECT * FROM paper").all();
  recording.prepare("commit").run();
  expect(writes).toHaveLength(3);

  const copy = withTable();
  replayer(copy)(writes);
  expect(rows(copy)).toEqual([
    { id: 1, colour: "green" },
    { id: 2, colour: "blue" },
  ]);
  expect(rows(copy)).toEqual(rows(original));
});
