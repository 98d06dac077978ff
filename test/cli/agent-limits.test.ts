import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dataDirectoryHolderPid, lockDataDirectory } from "../../src/adapters/store/data-directory-lock.ts";
import { limitsInWords, seeLimits } from "../../src/server/agent-groups.ts";

const base = "/sys/fs/cgroup/system.slice/flotilla.service";
const serving = { isServing: true, hasMemory: true };

test.each([
  [{ kind: "ready", base }, serving, true, "A control group limits the memory and processes of each agent."],
  [
    { kind: "ready", base },
    { isServing: true, hasMemory: false },
    true,
    "A control group limits the processes of each agent; `sandbox.memory_gib` sets the limit of its memory, and is off.",
  ],
  [
    { kind: "possible", base },
    { isServing: false, hasMemory: true },
    true,
    "Started from here, a control group limits the memory and processes of each agent.",
  ],
  [
    { kind: "possible", base },
    serving,
    false,
    "Agents have no control groups, which would limit the memory and processes of each: the log of its start says why it made none. Write `Delegate=memory pids`",
  ],
  [
    { kind: "impossible", why: `${base} is not writable for this user` },
    { isServing: false, hasMemory: false },
    false,
    `Started from here, Flotilla gives agents no control groups, which would limit the memory and processes of each: ${base} is not writable for this user. Write \`Delegate=memory pids\` into the service's unit`,
  ],
] as const)("of %o with %o doctor says it in one sentence", (standing, how, enforced, words) => {
  const seen = limitsInWords(standing, how);
  expect(seen.enforced).toBe(enforced);
  expect(seen.says.startsWith(words)).toBe(true);
});

test("looks at the process that serves, else at this one", () => {
  const dir = mkdtempSync(join(tmpdir(), "flotilla-lock-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  expect(dataDirectoryHolderPid(dir)).toBeNull();
  const release = lockDataDirectory(dir);
  expect(dataDirectoryHolderPid(dir)).toBe(process.pid);
  release();
  expect(dataDirectoryHolderPid(dir)).toBeNull();
  expect(seeLimits(null, { memoryBytes: null }).says).toMatch(/^Started from here, /);
  expect(seeLimits(process.pid, { memoryBytes: null }).says).not.toMatch(/^Started from here, /);
});
