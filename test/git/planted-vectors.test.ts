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

  it.each(VECTORS.map((vector, index) => [vector.name, vector, index] as const))(
    "%s",
    async (_name, vector, index) => {
      const name = `dev-${index}`;
      const ref = { repository: harness.repository, name, branch: `flotilla/dev/${index}` };
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
      // The control: plain git sets it off.
      expect(existsSync(mark)).toBe(true);

      const { worktrees } = harness;
      const steps = {
        restore: () => worktrees.restore(ref, ["README.md", "src"]),
        checkpoint: () => worktrees.checkpoint(ref),
        write: () => writeFile(join(path, "work.txt"), "work\n"),
        commit: () => worktrees.commit(ref, { message: "work", author: AUTHOR }),
        push: () => worktrees.push(ref),
        diff: () => worktrees.diff(ref, baseCommit, 1000),
        prepare: () => worktrees.prepare(ref, FRESH),
      };
      const fired: string[] = [];
      for (const [step, act] of Object.entries(steps)) {
        await vector.plant(ground);
        await rm(mark, { force: true });
        await act();
        if (existsSync(mark)) fired.push(step);
      }
      expect(fired).toEqual([]);
      expect(await harness.serverHead(ref.branch)).not.toBeNull();
    },
  );
});
