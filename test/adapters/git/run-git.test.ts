import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { mirrorGit, openMirror } from "../../../src/adapters/git/mirror/mirror.ts";
import { createGitHost, type GitHost } from "../../../src/adapters/git/process/git-host.ts";
import type { Isolation } from "../../../src/domain/ports/runner.ts";
import { FRESH } from "../../contracts/worktrees-harness.ts";
import { createMemoryLog } from "../../webhooks/memory-log.ts";
import { isolationHere } from "./isolation-here.ts";
import { realHarness } from "./real-harness.ts";

const MIB = 1024 ** 2;
const repository = { id: 7, owner: "acme", name: "shop", installationId: 5 };

/** A mirror with one blob of so many bytes, and the command that prints it. */
async function printing(bytes: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "run-git-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const host: GitHost = createGitHost({
    dataDir,
    serverUrl: "https://github.test",
    token: () => Promise.reject(new Error("no server is asked here")),
    isolation: {
      confines: false,
      confine: (command) => Promise.resolve(command),
      whileStill: (work) => work(),
    },
    log: createMemoryLog(),
  });
  await openMirror(host, repository);
  const written = await mirrorGit(host, repository, {
    args: ["hash-object", "-w", "--stdin"],
    input: "0123456789abcde\n".repeat(bytes / 16),
    purpose: "write",
  });
  const call = { args: ["cat-file", "blob", written.stdout.trim()], purpose: "read all of it" };
  return { run: (more: { enoughBytes?: number } = {}) => mirrorGit(host, repository, { ...call, ...more }) };
}

it("ends a git that prints more than may stand in memory, and says what to do", async () => {
  const { run } = await printing(80 * MIB);
  await expect(run()).rejects.toMatchObject({
    name: "GitError",
    code: "too_much",
    consequence: "tell",
    message: "could not read all of it: git printed more than 64 MiB",
    advice: expect.stringContaining("too large or too many"),
  });
});

it("reads no more than is wanted where the beginning is enough", async () => {
  const { run } = await printing(80 * MIB);
  const { stdout, code } = await run({ enoughBytes: MIB });
  expect(code).toBe(0);
  expect(stdout.startsWith("0123456789abcde\n0")).toBe(true);
  expect(stdout.length).toBeGreaterThanOrEqual(MIB);
  expect(stdout.length).toBeLessThan(8 * MIB);
});

it("gives all of what is within the bounds", async () => {
  const { run } = await printing(4 * MIB);
  expect((await run()).stdout).toHaveLength(4 * MIB);
  expect((await run({ enoughBytes: 4 * MIB })).stdout).toHaveLength(4 * MIB);
});

it("ends a git on an agent's files that is not done within two minutes, and says that it is tried again", async () => {
  const harness = await realHarness();
  onTestFinished(() => harness.close());
  const ref = { repository: harness.repository, name: "dev", branch: "flotilla/dev" };
  await harness.worktrees.prepare(ref, FRESH);
  const isolation = isolationHere(harness.dataDir);
  const begun = Promise.withResolvers<void>();
  const confine: Isolation["confine"] = async (command, mounts) => {
    if (!command.args.includes("status")) return isolation.confine(command, mounts);
    begun.resolve();
    return { ...command, file: "/bin/sleep", args: ["600"], cwd: "/" };
  };
  const { worktrees } = harness.restart({ isolation: { ...isolation, confine } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = worktrees.status(ref).catch((error: unknown) => error);
  await begun.promise;
  await vi.advanceTimersByTimeAsync(1);
  vi.advanceTimersByTime(120_000);
  expect(await asked).toMatchObject({
    code: "too_slow",
    consequence: "retry",
    message: "could not read the status of the worktree: git did not end within 2 minutes",
  });
});
