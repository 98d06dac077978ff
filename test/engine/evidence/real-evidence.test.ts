import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { markedProcesses } from "../../../src/adapters/sandbox/marked-processes.ts";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import { readProcesses } from "../../../src/adapters/sandbox/process-table.ts";
import { realHarness } from "../../adapters/git/real-harness.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, stateOf, toldTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, escalate, on, work } from "../scripts.ts";

const REF = { name: "dev-issue-1", branch: "flotilla/dev/issue-1" };

/** A rig whose claims are proved by real commands in a real checkout of a commit with these files. */
async function realRig(
  files: Readonly<Record<string, string>>,
  options: { commands: readonly string[]; timeoutMs?: number },
): Promise<{ rig: Rig; mark: string; beside: string; stray: (path: string, text: string) => Promise<void> }> {
  const git = await realHarness();
  const ref = { ...REF, repository: git.repository };
  await git.worktrees.prepare(ref, { base: null, reusePushed: false });
  for (const [path, text] of Object.entries(files)) await git.write(REF.name, path, text);
  const author = { name: "An agent", email: "agent@example.com" };
  const commit = (await git.worktrees.commit(ref, { message: "m", author }))?.commit ?? "";
  const { evidence } = someSettings();
  const rig = await aRig({
    script: [on(1, ...work, after("this is missing", escalate))],
    settings: {
      evidence: { ...evidence, commands: options.commands, timeoutMs: options.timeoutMs ?? 20_000 },
    },
  });
  const clock = {
    now: () => Date.now(),
    after(ms: number, fn: () => void) {
      const timer = setTimeout(fn, ms);
      return () => clearTimeout(timer);
    },
  };
  const mark = `evidence-${randomUUID()}@${git.dataDir}`;
  const real = createUnconfinedRunner(clock);
  rig.runner.run = (command, given) => real.run(command, { ...given, mark });
  rig.worktrees.checkout = () => git.worktrees.checkout(ref, commit);
  rig.worktrees.removeCheckout = () => git.worktrees.removeCheckout(ref);
  onTestFinished(() => git.close());
  // Where the checkout lies, and what it leaves outside of itself.
  const beside = dirname(git.directory(REF.name));
  return { rig, mark, beside, stray: (path, text) => git.write(REF.name, path, text) };
}

it("accepts what passes in a clean checkout, with what the setup made there", async () => {
  const files = { "setup.sh": "echo made > made.txt", "check.sh": "grep -q made made.txt && git status" };
  const { rig } = await realRig(files, { commands: ["sh setup.sh && sh check.sh"] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const [row] = await rig.store.evidence.ofAgent((await agentOf(rig)).id);
  expect(row).toMatchObject({
    exitCode: 0,
    holds: true,
    output: expect.stringContaining("Not currently on any branch"),
  });
  expect(row?.durationMs).toBeGreaterThan(0);
});

it("refuses what passes only with a file that lies about in the agent's directory", async () => {
  const { rig, stray } = await realRig({ "check.sh": ". ./helper.sh" }, { commands: ["sh check.sh"] });
  await stray("helper.sh", "true");
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toMatch(/`sh check.sh` fails on a clean checkout.*helper\.sh/s);
  expect(await stateOf(rig)).toBe("ESCALATED");
});

it("shows commands no variable of ours and no home with anything in it", async () => {
  process.env["FLOTILLA_TEST_SECRET"] = "hidden";
  onTestFinished(() => {
    delete process.env["FLOTILLA_TEST_SECRET"];
  });
  const { rig } = await realRig({ "a.txt": "a" }, { commands: ['env; ls -A "$HOME"; cat'] });
  await tell(rig, labeled(rig, 1));
  const [row] = await rig.store.evidence.ofAgent((await agentOf(rig)).id);
  const names = (row?.output ?? "").split("\n").flatMap((line) => (line === "" ? [] : line.split("=")[0]));
  expect(new Set(names)).toEqual(new Set(["CI", "FLOTILLA_SESSION", "HOME", "PATH", "PWD", "TMPDIR"]));
});

it("ends a test run that hangs, with the grandchild that it put to the background, and refuses it", async () => {
  const hang = "(setsid sh -c 'echo $$ > ../pid; exec sleep 1000' &) ; echo begun; sleep 1000";
  const { rig, mark, beside } = await realRig(
    { "hang.sh": hang },
    { commands: ["sh hang.sh"], timeoutMs: 500 },
  );
  await tell(rig, labeled(rig, 1));
  expect(toldTo(rig)[1]).toContain("it was ended at its time limit");
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(await markedProcesses([mark])).toEqual([]);
  const pid = Number(readFileSync(join(beside, "pid"), "utf8"));
  expect(pid).toBeGreaterThan(1);
  expect((await readProcesses()).some((entry) => entry.pid === pid)).toBe(false);
});
