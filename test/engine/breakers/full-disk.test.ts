import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { describeConfined } from "../../adapters/sandbox/bubblewrap-here.ts";
import { MINUTE } from "../../factories/moment.ts";

import { agentOf, stateOf } from "../look.ts";
import { labeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { on, work } from "../scripts.ts";

const run = promisify(execFile);
const MIB = 1024 ** 2;

describeConfined("on a disk of 128 MiB of its own", () => {
  it("stops the agent that fills it to the last byte, tells people, loses nothing and continues afterwards", async () => {
    const directory = await mkdtemp(join(tmpdir(), "flotilla-full-"));
    onTestFinished(() => removeTree(directory));
    const bwrap = findBubblewrap(process.env["PATH"] ?? "") ?? "bwrap";
    const child = join(import.meta.dirname, "../full-disk-child.ts");
    const small = ["--dev-bind", "/", "/", "--size", String(128 * MIB), "--tmpfs", directory];
    const ends = ["--unshare-pid", "--proc", "/proc", "--die-with-parent"];
    const { stdout } = await run(bwrap, [...small, ...ends, "--", process.execPath, child, directory], {
      timeout: 120_000,
    });
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({
      failures: [],
      reserveBefore: true,
      states: ["ACTIVE", "ESCALATED"],
      whileFull: { reserve: false, third: "CREATED" },
      reserveAfter: true,
    });
    expect(told.reason).toMatch(
      /^the disk has less than 40 MiB free \(0 MiB\); this agent uses \d+ MiB, more than any other at work$/,
    );
  });
});

const times = (rig: Rig, wanted: string) => rig.logged.filter(({ message }) => message === wanted).length;

describe("a database that cannot be written", () => {
  const FULL = new Error("database or disk is full");
  const NOT_WRITTEN = "outcome of an agent's driver not written";
  const NOT_RESTED = "agent not put to sleep";
  /** An agent whose turn has ended, and whose driver could not write that. */
  async function unwritten() {
    const disk = { full: false };
    const rig = await aRig({
      script: [on(1, ...work), on(1, ...work)],
      wrapped: (given) => ({
        ...given,
        store: {
          ...given.store,
          transaction: (body) => (disk.full ? Promise.reject(FULL) : given.store.transaction(body)),
        },
      }),
    });
    rig.onCrashPoint = (point) => {
      if (point === "turn:ended") disk.full = true;
    };
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("its driver has met the full disk", () => times(rig, NOT_WRITTEN) > 0);
    expect(await stateOf(rig)).toBe("ACTIVE");
    rig.onCrashPoint = () => {};
    return { rig, disk };
  }

  it("ends no process, and its agent continues at once when there is room", async () => {
    const { rig, disk } = await unwritten();
    disk.full = false;
    await rig.engine.tick();
    expect(await stateOf(rig)).toBe("SLEEPING");
    const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
    expect(moves.find(({ to }) => to === "SLEEPING")?.reason).toContain(
      "the end of its turn could not be written to the database",
    );
    await rig.work(MINUTE);
    await rig.until("it is done", async () => (await stateOf(rig)) === "COMPLETED");
  });

  it("is tried again each quarter of a minute", async () => {
    const { rig, disk } = await unwritten();
    for (let second = 0; second < 60; second += 1) {
      rig.clock.advance(1_000);
      // Other rounds need to write, too.
      await rig.engine.tick().catch(() => undefined);
    }
    expect(times(rig, NOT_RESTED)).toBe(4);
    expect(await stateOf(rig)).toBe("ACTIVE");
    disk.full = false;
    rig.clock.advance(15_000);
    await rig.engine.tick();
    expect(await stateOf(rig)).toBe("SLEEPING");
  });
});
