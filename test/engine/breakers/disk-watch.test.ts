import { expect, it } from "vitest";
import type { HeldOpen } from "../../../src/domain/ports/runner.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { errorsOf, GIB, MIB, SHUT, STOPPED, uses } from "../disk-use.ts";
import { agentOf, commentsOn, stateOf } from "../look.ts";
import { closed, labeled } from "../people.ts";
import { aRig, REPOSITORY } from "../rig.ts";
import { after, blocked, edit, on, slowly } from "../scripts.ts";
import { nameOn, twoAtWork } from "../two-at-work.ts";

it("stops the greatest user when the disk is nearly full, tells why, and lets nobody start until there is room", async () => {
  const rig = await twoAtWork();
  await uses(rig, GIB, 12 * MIB);
  rig.disk.freeBytes = 412 * MIB;
  await rig.engine.watchDisk();
  await rig.until("its process is gone", () => rig.runtime.running.size === 1);
  const reason =
    "the disk has less than 1 GiB free (412 MiB); this agent uses 1 GiB, more than any other at work";
  expect(await agentOf(rig, nameOn(1))).toMatchObject({ state: "ESCALATED", category: "disk", reason });
  expect(await stateOf(rig, nameOn(2))).toBe("ACTIVE");
  await rig.until("people know", () => commentsOn(rig, 1).join().includes(reason));
  expect(commentsOn(rig, 1).join()).toContain("free disk space");
  expect(commentsOn(rig, 1).join()).toContain("@oncall");
  expect(errorsOf(rig)).toEqual([SHUT, STOPPED]);

  await rig.engine.handle(labeled(rig, 3));
  await rig.engine.tick();
  expect(await stateOf(rig, nameOn(3))).toBe("CREATED");
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
  expect(await stateOf(rig, nameOn(2))).toBe("ACTIVE");
  expect(rig.logged.filter(({ level }) => level === "error")).toHaveLength(2);

  rig.disk.freeBytes = 2 * GIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  await rig.until("the third begins", async () => (await stateOf(rig, nameOn(3))) === "ACTIVE");
});

it("deletes kept setups before an agent is stopped for its files, and not while there is room", async () => {
  const rig = await twoAtWork();
  await uses(rig, GIB, 12 * MIB);
  const dropped: (number | null)[] = [];
  rig.worktrees.dropSetups = async (repositoryId) => {
    dropped.push(repositoryId);
    rig.disk.freeBytes = 2 * GIB;
  };
  await rig.engine.watchDisk();
  expect(dropped).toEqual([]);
  rig.disk.freeBytes = 412 * MIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(dropped).toEqual([null]);
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ACTIVE"]);
  expect(rig.context.diskRoom.refusal).toBeNull();
});

it("stops who keeps more than its own limit, however much is free", async () => {
  const rig = await twoAtWork();
  await uses(rig, 3 * GIB, 11 * GIB);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, nameOn(2))).reason).toContain("circuit_breakers.disk.max_agent_gib");
});

it("looks once a minute, one look at a time, and says when it could not", async () => {
  const rig = await twoAtWork();
  let looks = 0;
  rig.disk.heldOpen = () => {
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
  expect(errorsOf(rig)).toEqual(["disk not checked", "disk not checked"]);
});

it("lets nobody start while it still counts who keeps what", async () => {
  const rig = await twoAtWork();
  const counting = Promise.withResolvers<ReadonlyMap<number, HeldOpen>>();
  rig.disk.heldOpen = () => counting.promise;
  rig.disk.freeBytes = 100 * MIB;
  const looking = rig.engine.watchDisk();
  await rig.until("no agent may start", () => errorsOf(rig).includes(SHUT));
  await rig.engine.handle(labeled(rig, 3));
  await rig.engine.tick();
  expect(await stateOf(rig, nameOn(3))).toBe("CREATED");
  counting.resolve(new Map());
  await looking;
});

it("looks again within seconds once room falls below the floor", async () => {
  const rig = await twoAtWork();
  rig.disk.freeBytes = 1.1 * GIB;
  await rig.engine.watchDisk();
  await uses(rig, GIB);
  rig.disk.freeBytes = 100 * MIB;
  rig.clock.advance(4_999);
  await rig.engine.watchDisk();
  expect(await stateOf(rig, nameOn(1))).toBe("ACTIVE");
  rig.clock.advance(1);
  await rig.engine.watchDisk();
  expect(await stateOf(rig, nameOn(1))).toBe("ESCALATED");
});

it("stops nobody where no agent explains the loss, and says so to the operator once", async () => {
  const rig = await twoAtWork();
  await uses(rig, 90 * MIB, 12 * MIB);
  rig.disk.freeBytes = 100 * MIB;
  for (let round = 0; round < 3; round += 1) {
    await rig.engine.watchDisk();
    rig.clock.advance(MINUTE);
  }
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ACTIVE"]);
  expect(errorsOf(rig)).toEqual([
    SHUT,
    "no agent is stopped: look what else fills the disk of the data directory, and free space",
  ]);
  await rig.engine.handle(labeled(rig, 3));
  await rig.engine.tick();
  expect(await stateOf(rig, nameOn(3))).toBe("CREATED");
});

it("counts what an agent's processes hold open though it is deleted", async () => {
  const rig = await twoAtWork();
  await uses(rig, 90 * MIB, 200 * MIB);
  rig.disk.held.set((await agentOf(rig, nameOn(1))).id, { bytes: 8 * GIB, hidden: false });
  rig.disk.freeBytes = 100 * MIB;
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ESCALATED", "ACTIVE"]);
  expect((await agentOf(rig, nameOn(1))).reason).toContain("this agent uses 8.1 GiB");
});

it("stops an agent whose files cannot be counted where no other keeps much", async () => {
  const rig = await twoAtWork();
  const { id } = await agentOf(rig, nameOn(2));
  const used = rig.disk.used.bind(rig.disk);
  rig.disk.used = (agent, most) =>
    agent.agentId === id ? Promise.reject(new Error("EIO")) : used(agent, most);
  rig.disk.freeBytes = 100 * MIB;
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, nameOn(2))).reason).toContain("hides files");
});

it("stops who takes the disk's last files", async () => {
  const rig = await twoAtWork();
  rig.disk.usedFiles.set((await agentOf(rig, nameOn(2))).id, 700_000);
  rig.disk.files = { freeFiles: 1_000, allFiles: 10_000_000 };
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ACTIVE", "ESCALATED"]);
  expect((await agentOf(rig, nameOn(2))).reason).toContain("this agent uses 700,000 files");
});

it("asks a person about the sleeper that keeps most", async () => {
  const rig = await aRig({ script: [on(1, blocked(3)), on(2, slowly(9 * HOUR, edit()))] });
  for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("one sleeps", async () => (await stateOf(rig, nameOn(1))) === "SLEEPING");
  await rig.until("the other talks", async () => (await stateOf(rig, nameOn(2))) === "ACTIVE");
  await uses(rig, 5 * GIB, 600 * MIB);
  // A sleeper is counted behind the look of this minute.
  rig.disk.freeBytes = 2 * GIB;
  await rig.engine.watchDisk();
  rig.disk.freeBytes = 700 * MIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["ESCALATED", "ACTIVE"]);
  const reason =
    "the disk has less than 1 GiB free (700 MiB); this agent sleeps and keeps 5 GiB, more than any other";
  await rig.until("people know", () => commentsOn(rig, 1).join().includes(reason));
  expect(rig.logged.at(-1)?.message).toBe("what keeps most of the disk");

  // It is asked about once; what goes on growing is at work.
  await uses(rig, 5 * GIB, 1_000 * MIB);
  rig.disk.freeBytes = 300 * MIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect(await stateOf(rig, nameOn(2))).toBe("ESCALATED");
});

it("forgets what a sleeper kept when it wakes, and counts it again when it sleeps", async () => {
  const rig = await aRig({
    script: [on(1, blocked(3), after("#3", blocked(2))), on(2, slowly(9 * HOUR, edit()))],
  });
  for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("one sleeps", async () => (await stateOf(rig, nameOn(1))) === "SLEEPING");
  await uses(rig, 5 * GIB, 10 * MIB);
  rig.disk.freeBytes = 1.1 * GIB;
  await rig.engine.watchDisk();
  await rig.engine.handle(closed(rig, 3));
  await rig.until("it was awake", async () => {
    const { state, token } = await agentOf(rig, nameOn(1));
    return state === "SLEEPING" && token > 1;
  });
  await uses(rig, 10 * MIB, 600 * MIB);
  rig.disk.freeBytes = 300 * MIB;
  rig.clock.advance(MINUTE);
  await rig.engine.watchDisk();
  expect([await stateOf(rig, nameOn(1)), await stateOf(rig, nameOn(2))]).toEqual(["SLEEPING", "ESCALATED"]);
});
