import { mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GitError } from "../../../src/domain/kernel/errors.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { type Canary, layCanary } from "../../races/canary.ts";
import { startRacer } from "../../races/racer.ts";
import { isolationHere } from "./isolation-here.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

const ROUNDS = 200;
/** With git outside of its sandbox the first rounds write out there. */
const WRITING_ROUNDS = 60;

let harness: RealHarness;
let canary: Canary;

beforeEach(async () => {
  harness = await realHarness();
  canary = await layCanary(join(harness.dataDir, "..", "outside"));
});

afterEach(() => harness.close());

it("restores what the head does not have, and deletes nothing outside while its directory is exchanged for a link", async () => {
  const ref = { repository: harness.repository, name: "dev", branch: "flotilla/dev" };
  const { path } = await harness.worktrees.prepare(ref, FRESH);
  const [first, link] = [join(path, "d"), join(path, "away")];
  await mkdir(first);
  await symlink(canary.directory, link);
  const racer = await startRacer([{ as: "directory", first, link, target: canary.directory }]);
  let refused = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Where it exists there, it stays as it is.
    for (const directory of [first, link]) await mkdir(join(directory, "kept")).catch(() => undefined);
    await harness.worktrees.restore(ref, ["d/kept"]).catch((error: unknown) => {
      if (!(error instanceof GitError)) throw error;
      refused += 1;
    });
    expect([round, ...(await canary.touched())]).toEqual([round]);
  }
  expect(await racer.stop()).toBeGreaterThan(ROUNDS);
  // Both were met: the directory, and the link.
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(ROUNDS);
}, 600_000);

it("writes what the head has, and nothing outside while its directory is exchanged for a link", async () => {
  const ref = { repository: harness.repository, name: "dev", branch: "flotilla/dev" };
  const { path } = await harness.worktrees.prepare(ref, FRESH);
  const [first, link] = [join(path, "rc"), join(path, "away")];
  const files = Array.from({ length: 40 }, (_, index) => `.rc${index}`);
  // One that stands outside too: it must not be replaced.
  for (const file of [...files, "file.txt"]) await harness.write("dev", `rc/${file}`, "an agent's text\n");
  await harness.worktrees.commit(ref, { message: "what is to be written", author: AUTHOR });
  await symlink(canary.directory, link);
  const racer = await startRacer([{ as: "directory", first, link, target: canary.directory }]);
  for (let round = 1; round <= WRITING_ROUNDS; round += 1) {
    // git replaces the link that it meets.
    await racer.renew();
    for (const parent of [first, link])
      if ((await readlink(parent).catch(() => null)) === null)
        for (const file of files) await rm(join(parent, file), { force: true });
    await harness.worktrees.restore(ref, ["rc"]).catch((error: unknown) => {
      if (!(error instanceof GitError)) throw error;
    });
    expect([round, ...(await canary.touched())]).toEqual([round]);
  }
  expect(await racer.stop()).toBeGreaterThan(WRITING_ROUNDS);
}, 600_000);

it("restores nothing below a link, and what the head has in the place of one", async () => {
  const ref = { repository: harness.repository, name: "dev", branch: "flotilla/dev" };
  const { path } = await harness.worktrees.prepare(ref, FRESH);
  await mkdir(join(path, "inside"));
  await writeFile(join(path, "inside", "file.txt"), "kept\n");
  await symlink("inside", join(path, "link"));
  await expect(harness.worktrees.restore(ref, ["link/file.txt"])).rejects.toMatchObject({
    code: "path_outside",
  });
  expect(await harness.read("dev", "inside/file.txt")).toBe("kept\n");
});

it("restores a path once, however often it is named", async () => {
  const ref = { repository: harness.repository, name: "dev", branch: "flotilla/dev" };
  await harness.worktrees.prepare(ref, FRESH);
  await harness.write("dev", "README.md", "changed\n");
  const isolation = isolationHere(harness.dataDir);
  let commands = 0;
  const counting = {
    ...isolation,
    confine: (...given: Parameters<typeof isolation.confine>) => {
      commands += 1;
      return isolation.confine(...given);
    },
  };
  const { worktrees } = harness.restart({ isolation: counting });
  await worktrees.restore(ref, ["README.md", "./README.md", "src/../README.md", "README.md"]);
  expect(commands).toBe(1);
  expect(await harness.read("dev", "README.md")).toBe("one\ntwo\n");

  await harness.write("dev", "README.md", "changed\n");
  const fresh = Array.from({ length: 20 }, (_, index) => `new/${index}\n`);
  for (const file of ["src/new.txt", ...fresh]) await harness.write("dev", file, "new\n");
  commands = 0;
  await worktrees.restore(ref, ["src", "README.md", "src/a.txt", ...fresh]);
  expect(commands).toBe(3);
  expect(await worktrees.status(ref)).toMatchObject({ clean: true });
});
