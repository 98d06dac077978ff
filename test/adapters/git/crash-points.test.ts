import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CRASH_MOMENTS, type CrashPoint } from "../../../src/domain/kernel/crash-points.ts";
import type { Worktrees } from "../../../src/domain/ports/worktrees.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { plainGit } from "./plain-git.ts";
import { type RealHarness, realHarness } from "./real-harness.ts";

/** signed-pushes.test.ts ends the host there: here the server signs nothing. */
const OF_SIGNING = "git:signed";
const POINTS = CRASH_MOMENTS.filter((moment) => moment.startsWith("git:") && moment !== OF_SIGNING);
const REF = { name: "dev-issue-1", branch: "flotilla/dev/issue-1" };
const MESSAGES = ["Work on both", "work", "work"];

/** Thrown where the host dies; what it was at is not gone on with. */
class Died extends Error {}

/**
 * A host of which each life ends at a point that none has ended at, and whose next one does the step again: as the engine
 * does, which has no record of its end.
 */
function mortal(harness: RealHarness) {
  const died: CrashPoint[] = [];
  const live = () =>
    harness.restart({
      crashPoint: (point) => {
        if (died.includes(point)) return;
        died.push(point);
        throw new Died(point);
      },
    }).worktrees;
  const step = async <T>(work: (worktrees: Worktrees) => Promise<T>): Promise<T> =>
    work(live()).catch((error: unknown) => {
      if (error instanceof Error && died.includes(lastWord(error))) return step(work);
      throw error;
    });
  return { died, step };
}

function lastWord(error: Error): CrashPoint {
  const found = CRASH_MOMENTS.find((moment) => error.message.includes(moment));
  if (found === undefined) throw error;
  return found;
}

it("dies at each of its points in turn, and the server has each commit once", {
  timeout: 60_000,
}, async () => {
  const harness = await realHarness();
  onTestFinished(() => harness.close());
  const ref = { repository: harness.repository, ...REF };
  const { died, step } = mortal(harness);
  const prepare = () => step((worktrees) => worktrees.prepare(ref, FRESH));
  await prepare();
  // The agent's own merge waits for the commit.
  const main = await harness.serverCommit("main", { "theirs.txt": "theirs\n" });
  const { path } = await prepare();
  await plainGit(path, ["merge", "--quiet", "--no-commit", "--no-ff", main]);
  await harness.write(REF.name, "ours.txt", "ours\n");
  await step(async (worktrees) => {
    await worktrees.commit(ref, { message: "Work on both", author: AUTHOR });
    if (!(await worktrees.status(ref)).pushed) await worktrees.push(ref);
  });
  await harness.write(REF.name, "open.txt", "open\n");
  await step((worktrees) => worktrees.checkpoint(ref));
  const saved = `refs/flotilla/checkpoints/${REF.name}`;
  expect(await harness.server.git(harness.fullName, "show", `${saved}:open.txt`)).toBe("open");
  const { archive } = await step((worktrees) => worktrees.remove(ref, { base: "main" }));
  expect(archive?.path).toContain(join("archives", "4711", REF.name));

  expect(died).toEqual(POINTS);
  const log = await harness.server.git(harness.fullName, "log", "--format=%s", REF.branch);
  expect(log.split("\n").toSorted()).toEqual(MESSAGES.toSorted());
  expect(await harness.worktrees.status(ref)).toMatchObject({ exists: false });
});
