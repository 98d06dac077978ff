import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCopy, runLine } from "./a-copy.ts";
import { changed, DEVELOPING, recipesOf } from "./recipes.ts";

const { changes, commands } = recipesOf(DEVELOPING);

let copy: string;
beforeAll(() => {
  copy = aCopy();
  for (const change of changes) {
    const path = join(copy, change.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, changed(change, existsSync(path) ? readFileSync(path, "utf8") : null));
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

// Written as it is, a command with `-u` first would renew what a later one looks at.
test.each([...new Set(commands)])(
  "with all additions of docs/developing.md made: %s",
  { timeout: 300_000 },
  async (command) => {
    const { code, output } = await runLine(command, { cwd: copy });
    expect(code === 0 ? "" : output).toBe("");
  },
);

test("the additions are written as the formatter would", { timeout: 180_000 }, async () => {
  const paths = changes.map(({ path }) => path).filter((path) => path.endsWith(".ts"));
  const { code, output } = await runLine(`biome check ${[...new Set(paths)].join(" ")}`, { cwd: copy });
  expect(code === 0 ? "" : output).toBe("");
});
