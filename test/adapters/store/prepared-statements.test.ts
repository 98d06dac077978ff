import SqliteDatabase from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { preparedStatements } from "../../../src/adapters/store/sqlite/immediate-dialect.ts";

function spied() {
  const database = new SqliteDatabase(":memory:");
  const compile = vi.spyOn(database, "prepare");
  return { database, compile, statements: preparedStatements(database) };
}

test("a statement is compiled once, and again when 500 others were used since", () => {
  const { compile, statements } = spied();
  for (let time = 0; time < 3; time += 1)
    expect(statements.prepare("select 1 as one").all([])).toEqual([{ one: 1 }]);
  expect(compile).toHaveBeenCalledTimes(1);
  for (let other = 2; other <= 500; other += 1) statements.prepare(`select ${other}`);
  statements.prepare("select 1 as one");
  expect(compile).toHaveBeenCalledTimes(500);
  for (let other = 501; other <= 1000; other += 1) statements.prepare(`select ${other}`);
  statements.prepare("select 1 as one");
  expect(compile).toHaveBeenCalledTimes(1001);
});

test("one that was used again outlives those that were not", () => {
  const { compile, statements } = spied();
  for (let text = 1; text <= 500; text += 1) statements.prepare(`select ${text}`);
  statements.prepare("select 1");
  statements.prepare("select 501");
  statements.prepare("select 1");
  expect(compile).toHaveBeenCalledTimes(501);
  statements.prepare("select 2");
  expect(compile).toHaveBeenCalledTimes(502);
});

test("a statement that is kept sees a table that has changed its form", () => {
  const { database, statements } = spied();
  database.exec("create table thing (a); insert into thing values (1)");
  const all = () => statements.prepare("select * from thing").all([]);
  expect(all()).toEqual([{ a: 1 }]);
  database.exec("alter table thing add column b default 2");
  expect(all()).toEqual([{ a: 1, b: 2 }]);
});
