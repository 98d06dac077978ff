import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AUTHOR, FRESH } from "../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type Ground, VECTORS } from "./planted-vectors.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

describe("Nothing planted in the worktree or in the shared git data runs on the host:", {
  timeout: 30_000,
}, () => {
  let harness: RealHarness;
  beforeAll(async () => {
    harness = await realHarness();
  });
  afterAll(() => harness.close());

  it.each(VECTORS.map((vector, index) => ({ ...vector, index })))("$name", async (vector) => {
    const name = `dev-${vector.index}`;
    const ref = { repository: harness.repository, name, branch: `flotilla/dev/${vector.index}` };
    const outside = join(harness.dataDir, "..", "outside", name);
    const mark = join(outside, "fired");
    await mkdir(outside, { recursive: true });
    const { path, baseCommit } = await harness.worktrees.prepare(ref, FRESH);
    const ground: Ground = {
      directory: path,
      mirror: harness.mirror,
      entry: join(harness.mirror, "worktrees", name),
      outside,
      url: harness.server.url,
      fire: `touch ${mark}`,
    };

    await vector.plant(ground);
    await plainGit(path, vector.control(ground), false);
    expect(existsSync(mark), "the control: plain git sets it off").toBe(true);

    const { worktrees } = harness;
    const steps = [
      () => worktrees.checkpoint(ref),
      () => writeFile(join(path, "work.txt"), "work\n"),
      () => worktrees.commit(ref, { message: "work", author: AUTHOR }),
      () => worktrees.push(ref),
      () => worktrees.diff(ref, baseCommit, 1000),
      () => worktrees.restore(ref, ["README.md", "src"]),
      () => worktrees.prepare(ref, FRESH),
    ];
    for (const step of steps) {
      await vector.plant(ground);
      await rm(mark, { force: true });
      await step();
      expect(existsSync(mark), step.toString()).toBe(false);
    }
    expect(await harness.serverHead(ref.branch)).not.toBeNull();
  });
});
