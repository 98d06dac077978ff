import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDataDisk } from "../../src/commands/data-disk.ts";
import { removeTree } from "../../src/git/remove-tree.ts";
import { usedBytes } from "../../src/git/used-bytes.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { agentOf, commentsOn, stateOf } from "./look.ts";
import { labeled } from "./people.ts";
import { aRig, REPOSITORY, type Rig } from "./rig.ts";
import { edit, on, slowly } from "./scripts.ts";

const name = (issue: number) => `feat-dev-issue-${issue}`;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Agents at work on issues 1 and 2, that do not end. */
async function atWork(options: Parameters<typeof aRig>[0] = {}): Promise<Rig> {
  const rig = await aRig({
    script: [1, 2, 3].map((issue) => on(issue, slowly(9 * HOUR, edit()))),
    ...options,
  });
  for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("both talk", () => rig.runtime.requests.length === 2);
  return rig;
}

async function uses(rig: Rig, ...bytes: readonly number[]): Promise<void> {
  for (const [index, used] of bytes.entries())
    rig.disk.usedBytes.set((await agentOf(rig, name(index + 1))).id, used);
}

it("stops the greatest user when the disk is nearly full, tells why, and lets nobody start until there is room", async () => {
  const rig = await atWork();
  await uses(rig, GIB, 12 * MIB);
  rig.disk.freeBytes = 412 * MIB;
  await rig.engine.watchDisk();
  await rig.until("its process is gone", () => rig.runtime.running.size === 1);
  const reason =
    "the disk has less than 1 GiB free (412 MiB); this agent uses 1 GiB, more than any other at work";
  expect(await agentOf(rig, name(1))).toMatchObject({ state: "ESCALATED", category: "disk", reason });
  expect(await stateOf(rig, name(2))).toBe("ACTIVE");
  await rig.until("people know", () => commentsOn(rig, 1).join().includes(reason));
  expect(commentsOn(rig, 1).join()).toContain("free disk space");
  expect(commentsOn(rig, 1).join()).toContain("@oncall");
  expect(rig.logged.filter(({ level }) => level === "error").map(({ message }) => message)).toEqual([
    "the disk is nearly full: no agent starts; free space, or give the data directory a larger disk",
    "stopped an agent for the disk space that it takes",
  ]);

  await rig.engine.handle(labeled(rig, 3));
  await rig.engine.tick();
  expect(await stateOf(rig, name(3))).toBe("CREATED");
  expect(await rig.store.decisions.ofIssue(REPOSITORY.id, 3, 1)).toMatchObject([
    {
      rule: "held",
      reason: expect.stringContaining("the disk of the data directory has less than 1 GiB free"),
    },
  ]);

  for (let minute = 0; minute < 3; minute += 1) {
    rig.clock.advance(MINUTE);
    await rig.engine.watchDisk();
  }
  expect(await stateOf(rig, name(2))).toBe("ACTIVE");
  expect(rig.logged.filter(({ level }) => level === "error")).toHaveLength(2);

  rig.disk.freeBytes = 2 * GIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  await rig.until("the third begins", async () => (await stateOf(rig, name(3))) === "ACTIVE");
});

it("stops who keeps more than its own limit, however much is free", async () => {
  const rig = await atWork();
  await uses(rig, 3 * GIB, 11 * GIB);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, name(1)), await stateOf(rig, name(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, name(2))).reason).toContain("circuit_breakers.disk.max_agent_gib");
});

it("looks once a minute, one look at a time, and says when it could not", async () => {
  const rig = await atWork();
  let looks = 0;
  rig.disk.free = () => {
    looks += 1;
    return Promise.reject(new Error("EIO"));
  };
  await Promise.all([rig.engine.watchDisk(), rig.engine.watchDisk()]);
  rig.clock.advance(MINUTE - 1);
  await rig.engine.watchDisk();
  expect(looks).toBe(1);
  rig.clock.advance(1);
  await rig.engine.watchDisk();
  expect(looks).toBe(2);
  expect(rig.logged.map(({ message }) => message)).toContain("the disk was not looked at");
});

it("finds who fills the disk among real files: that agent is stopped and no other", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "flotilla-disk-"));
  onTestFinished(() => removeTree(dataDir));
  const real = createDataDisk(dataDir);
  expect(await real.free()).toBeGreaterThan(256 * MIB);
  const rig = await atWork({ settings: { disk: { minFreeBytes: 64 * MIB, maxAgentBytes: GIB } } });
  rig.disk.used = (agent) => real.used({ ...agent, worktreePath: null });
  // As on a small disk on which nobody else writes meanwhile.
  rig.disk.free = async () => {
    const { bytes } = await usedBytes([join(dataDir, "sessions")]);
    return 160 * MIB - bytes;
  };
  const homes = [];
  for (const issue of [1, 2]) {
    const home = join(dataDir, "sessions", String((await agentOf(rig, name(issue))).id), "home");
    await mkdir(home, { recursive: true });
    homes.push(home);
  }
  await rig.engine.watchDisk();
  expect([await stateOf(rig, name(1)), await stateOf(rig, name(2))]).toEqual(["ACTIVE", "ACTIVE"]);
  const script = "truncate -s 8G $0/hole; for i in 1 2 3 4; do fallocate -l 32M $1/f$i; done";
  execFileSync("sh", ["-c", script, homes[0] ?? "", homes[1] ?? ""]);
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, name(1)), await stateOf(rig, name(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, name(2))).reason).toMatch(
    /this agent uses 128 MiB, more than any other at work$/,
  );
});
