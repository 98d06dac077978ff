import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_CODES, ERROR_MEANINGS, ERROR_STATUS } from "../../src/domain/kernel/error-code.ts";
import { RUN_EVENT_TYPES } from "../../src/domain/kernel/run-event.ts";

const OPERATIONS = readFileSync("docs/operations.md", "utf8");
const WATCHING = OPERATIONS.slice(OPERATIONS.indexOf("\n## Watching\n")).split("\n## ")[1] ?? "";

test("docs/operations.md explains every code of an error with its status and the program's words, and no other", () => {
  const rows = [...WATCHING.matchAll(/^\| `([a-z_]+)` \| (\d+) \| (.+) \|$/gm)].map(
    ([, code, status, words]) => [code, Number(status), words],
  );
  expect(rows).toEqual(ERROR_CODES.map((code) => [code, ERROR_STATUS[code], ERROR_MEANINGS[code]]));
});

test("docs/operations.md names every kind of event, and no other", () => {
  const named = [...WATCHING.matchAll(/^\| (`[a-z:, `]+`) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/[a-z]+:[a-z]+/g)].map(([type]) => type),
  );
  expect(named.toSorted()).toEqual([...RUN_EVENT_TYPES].toSorted());
});
