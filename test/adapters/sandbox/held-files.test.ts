import { spawn } from "node:child_process";
import { mkdir, mkdtemp, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { heldOpenFiles } from "../../../src/adapters/sandbox/held-files.ts";
import { PROCESS_MARK } from "../../../src/domain/breakers/process-mark.ts";
import { createDataDisk } from "../../../src/server/data-disk.ts";
import { createFakeClock } from "../../fakes/clock.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";

const MIB = 1024 ** 2;

async function aDataDirectory(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "flotilla-held-"));
  onTestFinished(() => removeTree(dataDir));
  return dataDir;
}

async function sessionOf(dataDir: string, agentId: number): Promise<string> {
  const session = join(dataDir, "sessions", String(agentId));
  await mkdir(session, { recursive: true });
  return session;
}

/** Starts the command, which lives until the test is over, and returns when it has said a line. */
async function started(command: {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<void> {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the command did not start");
  onTestFinished(() => void process.kill(-pid, "SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", () => reject(new Error("the command ended")));
  });
}

const shell = (session: string, script: string) => ({
  file: "/bin/sh",
  args: ["-c", `${script}; echo ready; sleep 600`],
  cwd: session,
  env: { PATH: "/usr/bin:/bin", [PROCESS_MARK]: `some-session@${session}` },
});

const HOLD = "exec 3>big; head -c 8388608 /dev/zero >&3; rm big";

it("counts deleted files that an agent's processes hold, each once, sparse ones as what they hold", async () => {
  const dataDir = await aDataDirectory();
  const [one, two, outside] = [
    await sessionOf(dataDir, 1),
    await sessionOf(dataDir, 22),
    await aDataDirectory(),
  ];
  // The children hold it too; what has a name is counted where it lies.
  await started(
    shell(one, `${HOLD}; exec 4>named; head -c 4194304 /dev/zero >&4; (sleep 600 &); (sleep 600 &)`),
  );
  await started(shell(two, "exec 3>hole; truncate -s 8G hole; rm hole"));
  await started(shell(await sessionOf(outside, 1), HOLD));
  const held = await createDataDisk(dataDir, []).heldOpen();
  expect(held.size).toBe(2);
  expect(held.get(1)).toEqual({ bytes: 8 * MIB, hidden: false });
  expect(held.get(22)).toEqual({ bytes: 0, hidden: false });
  const { dev } = await stat(dataDir, { bigint: true });
  // Memory files and what lies on another disk take no room here.
  expect((await heldOpenFiles(dataDir, new Set([dev + 1n]))).get(1)?.bytes).toBe(0);
});

it("counts what is deleted, closed and only mapped, or says that something is hidden", async () => {
  const dataDir = await aDataDirectory();
  const session = await sessionOf(dataDir, 4);
  // A program that was copied runs from its mapping.
  const running = 'until [ "$(readlink /proc/$!/exe)" = "$PWD/big" ]; do :; done';
  const script = `cp /bin/sleep big; head -c 8388608 /dev/zero >>big; ./big 600 & ${running}; rm big`;
  await started(shell(session, script));
  const { bytes = 0, hidden } = (await createDataDisk(dataDir, []).heldOpen()).get(4) ?? {};
  expect(bytes >= 8 * MIB || hidden).toBe(true);
});

describeConfined("in bubblewrap", () => {
  it.runIf(process.arch === "x64")(
    "counts them through the sandbox, also of a process that drops its mark and hides from others",
    async () => {
      const dataDir = await aDataDirectory();
      const session = await sessionOf(dataDir, 3);
      const runner = confinedRunner(createFakeClock(0));
      // PR_SET_DUMPABLE 0
      const perl = `exec env -i perl -e 'open $f, ">", "big" or die; syswrite $f, "x" x 8388608; $| = 1; unlink "big"; syscall(157, 4, 0, 0, 0, 0); print "ready\\n"; sleep 600'`;
      const command = await runner.confine(
        { ...shell(session, ""), args: ["-c", perl] },
        { writable: [session], readable: [], hosts: [], registries: false },
      );
      await started(command);
      const { bytes = 0, hidden } = (await createDataDisk(dataDir, []).heldOpen()).get(3) ?? {};
      expect(bytes === 8 * MIB || hidden).toBe(true);
    },
  );
});
