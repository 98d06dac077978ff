import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { report } from "../../src/cli/commands/report.ts";
import type { RepositoryFileRow } from "../../src/domain/ports/settings-tables.ts";
import { aRepositoryFile, NO_OVERRIDE } from "../factories/a-repository-file.ts";
import { aPlace, type Ground, prepareGround } from "./doctor/place.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await prepareGround();
  await ground.github.as("octocat").openIssue({ title: "It falls over", labels: ["bug"] });
});
afterAll(() => ground.close());

/** By which labels `flotilla report` would start something with this own file, and its first two lines. */
async function reported(file: Partial<RepositoryFileRow> | null) {
  const { home: cwd, env } = aPlace(ground);
  const store = await openStore({ path: join(cwd, "data/flotilla.db") });
  const { id: repositoryId } = ground.github.state().repository;
  if (file !== null) await store.repositoryFiles.put(aRepositoryFile({ repositoryId, ...file }));
  await store.close();
  const say = async (json: boolean) => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    expect(await report.run({ env, cwd, print, complain: print, options: { json }, args: [] })).toBe(0);
    return lines;
  };
  const [one] = JSON.parse((await say(true)).join("")).reports;
  const causes: string[] = one.lines[0].starts.map(({ cause }: { cause: string }) => cause);
  return { causes, file: one.file, head: (await say(false)).slice(1, 2).join("") };
}

const WITHOUT_BUGS = { ...NO_OVERRIDE, roles: { "bug-fix": { triggers: [] } } };

test("a report decides by the repository's own file as it was read last, and says so", async () => {
  const none = await reported(null);
  expect(none.causes).toContain("bug");
  expect([none.file, none.head]).toEqual([{ state: "unread" }, ""]);
  const own = await reported({ override: WITHOUT_BUGS });
  expect(own.causes).not.toContain("bug");
  expect(own.file).toMatchObject({ state: "in_force" });
  expect(own.head).toBe(".github/flotilla.yml applies, blob 1a2b3c4.");
});

test("with a faulty file it decides by what that said last without a fault", async () => {
  const held = await reported({ override: WITHOUT_BUGS, source: "9f8e7d6 -", faults: ["a: unknown key."] });
  expect(held.causes).not.toContain("bug");
  expect(held.head).toMatch(/is faulty, blob 1a2b3c4: its last version .* applies, blob 9f8e7d6\.$/);
  const never = await reported({ override: null, source: null, faults: ["a: unknown key."] });
  expect(never.causes).toContain("bug");
});
