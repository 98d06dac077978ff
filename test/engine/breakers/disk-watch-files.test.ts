import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { usedBytes } from "../../../src/adapters/git/worktree/used-bytes.ts";
import { createDataDisk } from "../../../src/server/data-disk.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, stateOf } from "../look.ts";
import { nameOn, twoAtWork } from "../two-at-work.ts";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

it("finds who fills the disk among real files: that agent is stopped and no other", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "flotilla-disk-"));
  onTestFinished(() => removeTree(dataDir));
  const real = createDataDisk(dataDir, []);
  expect((await real.space()).freeBytes).toBeGreaterThan(256 * MIB);
  const rig = await twoAtWork({
    settings: {
      disk: { minFreeBytes: 64 * MIB, maxAgentBytes: GIB, maxAgentFiles: 1_000, perAgentBytes: 0 },
    },
  });
  rig.disk.used = (agent, most) => real.used({ ...agent, worktreePath: null }, most);
  // As on a small disk on which nobody else writes meanwhile.
  rig.disk.space = async () => {
    const { bytes } = await usedBytes([join(dataDir, "sessions")], 1_000);
    return { freeBytes: 160 * MIB - bytes, freeFiles: null, allFiles: null };
  };
  const homes = [];
  for (const issue of [1, 2]) {
    const home = join(dataDir, "sessions", String((await agentOf(rig, nameOn(issue))).id), "home");
    await mkdir(home, { recursive: true });
    homes.push(home);
  }
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ACTIVE"]);
  const script = "truncate -s 8G $0/hole; for i in 1 2 3 4; do fallocate -l 32M $1/f$i; done";
  execFileSync("sh", ["-c", script, homes[0] ?? "", homes[1] ?? ""]);
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, nameOn(2))).reason).toMatch(
    /this agent uses 128 MiB, more than any other at work$/,
  );
});

it("counts a million names as soon as bytes: the agent with too many files is stopped", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "flotilla-disk-"));
  onTestFinished(() => removeTree(dataDir));
  const real = createDataDisk(dataDir, []);
  const rig = await twoAtWork({
    settings: { disk: { minFreeBytes: 0, maxAgentBytes: GIB, maxAgentFiles: 200, perAgentBytes: 0 } },
  });
  rig.disk.used = (agent, most) => real.used({ ...agent, worktreePath: null }, most);
  const home = join(dataDir, "sessions", String((await agentOf(rig, nameOn(2))).id), "home");
  await mkdir(home, { recursive: true });
  execFileSync("sh", ["-c", 'cd "$0"; : >a; i=0; while [ $i -lt 300 ]; do ln a l$i; i=$((i+1)); done', home]);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, nameOn(2))).reason).toContain("circuit_breakers.disk.max_agent_files");
});

it("gives up the reserve with what a crash left of making one", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "flotilla-disk-"));
  onTestFinished(() => removeTree(dataDir));
  const real = createDataDisk(dataDir, []);
  await writeFile(join(dataDir, "reserve.draft"), "half of it");
  expect([await real.giveUpReserve(), await real.giveUpReserve()]).toEqual([true, false]);
  await real.keepReserve();
  expect(await readdir(dataDir)).toEqual(["reserve"]);
  expect(await real.giveUpReserve()).toBe(true);
  expect(await readdir(dataDir)).toEqual([]);
});
