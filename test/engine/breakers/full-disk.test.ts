import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { describeConfined } from "../../adapters/sandbox/bubblewrap-here.ts";
import { MINUTE } from "../../factories/moment.ts";

import { stateOf } from "../look.ts";
import { labeled } from "../people.ts";
import { aRig } from "../rig.ts";
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

it("a database that cannot be written ends no process, and its agent continues afterwards", async () => {
  let full = false;
  const rig = await aRig({
    script: [on(1, ...work), on(1, ...work)],
    wrapped: (given) => ({
      ...given,
      store: {
        ...given.store,
        transaction: (body) =>
          full ? Promise.reject(new Error("database or disk is full")) : given.store.transaction(body),
      },
    }),
  });
  rig.onCrashPoint = (point) => {
    if (point === "turn:ended") full = true;
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("its driver has met the full disk", () =>
    rig.logged.some(({ message }) => message === "outcome of an agent's driver not written"),
  );
  expect(await stateOf(rig)).toBe("ACTIVE");
  rig.onCrashPoint = () => {};
  full = false;
  await rig.work(40 * MINUTE);
  await rig.until("it is done", async () => (await stateOf(rig)) !== "ACTIVE");
});
