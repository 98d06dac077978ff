import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCopy, runLine } from "../docs/a-copy.ts";
import { serverPrograms } from "../postgres/server.ts";
import { proved } from "../proved.ts";
import { MUTATIONS, type Mutation } from "./mutations.ts";

const needsServer = ({ file }: Pick<Mutation, "file">): boolean => file.startsWith("test/postgres/");
const here = MUTATIONS.filter((one) => serverPrograms() !== undefined || !needsServer(one));
const files = [...new Set(here.map(({ file }) => file))];
const caught = new Set<string>();

let copy = "";
beforeAll(() => {
  copy = aCopy();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const run = (...paths: readonly string[]) =>
  runLine(`vitest run ${paths.join(" ")}`, { cwd: copy, env: { NO_COLOR: "1" } });

const write = (texts: ReadonlyMap<string, string>) => {
  for (const [file, text] of texts) writeFileSync(join(copy, file), text);
};

/** Replaces the texts, and returns what puts the files back. */
function plant({ places }: Mutation): () => void {
  const before = new Map(places.map(({ file }) => [file, readFileSync(join(copy, file), "utf8")]));
  const after = new Map(before);
  for (const { file, old, now } of places) {
    const text = after.get(file) ?? "";
    expect(text).toContain(old);
    after.set(file, text.replaceAll(old, now));
  }
  write(after);
  return () => write(before);
}

test("without a fault these tests pass", { timeout: 600_000 }, async () => {
  const { code, output } = await run(...files);
  expect(code === 0 ? "" : output).toBe("");
});

const named = here.map((one) => [one.fault, one.file, one] as const);
test.each(named)("%s: %s fails", { timeout: 600_000 }, async (_fault, _file, mutation) => {
  const putBack = plant(mutation);
  const { code, output } = await run(mutation.file);
  putBack();
  const failures = output.split("\n").filter((line) => line.startsWith(" FAIL "));
  expect(failures.filter((line) => line.endsWith(` > ${mutation.test}`))).not.toEqual([]);
  expect(code).toBe(1);
  caught.add(mutation.fault);
});

test("each is caught", () => {
  expect([...caught]).toEqual(here.map(({ fault }) => fault));
  proved({
    promise: "Faults that only several processes on one database show are seen by the tests",
    test: "test/mutations/planted.test.ts",
    figure: `${here.length} faults planted in a copy, ${caught.size} seen, each by the test that is named for it`,
  });
});
