import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { decidePermission } from "../../../../src/adapters/runtimes/copilot/permissions.ts";
import type { Capability } from "../../../../src/domain/ports/agent-runtime.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "flotilla-permissions-")));
const workingDirectory = join(root, "worktree");
const baseDirectory = join(root, "session");
for (const path of [
  "worktree/src",
  "session/home",
  "session/session-state",
  "skills/7/sql",
  "skills/8",
  "worktree-of-another",
])
  mkdirSync(join(root, path), { recursive: true });
writeFileSync(join(root, "outside.txt"), "x");
symlinkSync(root, join(workingDirectory, "up"));
symlinkSync(join(root, "not-there-yet"), join(workingDirectory, "dangling"));
symlinkSync("loop", join(workingDirectory, "loop"));
symlinkSync(join(workingDirectory, "src"), join(workingDirectory, "inner"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function decide(request: object, capabilities: Capability[] = ["read", "edit"]): string {
  const tool = {
    name: "note",
    description: "",
    parameters: {},
    terminal: false,
    call: () => Promise.reject(new Error()),
  };
  const skills = join(root, "skills/7");
  const spec = { workingDirectory, baseDirectory, skills, capabilities, tools: [tool] };
  return decidePermission(JSON.parse(JSON.stringify(request)), spec).kind;
}
const read = (path: string) => decide({ kind: "read", path });
const write = (fileName: string) => decide({ kind: "write", fileName });

test.each(["src/a.ts", "new/deep/file.ts", ".", "inner/a.ts"])(
  "%s of the worktree is read and written",
  (path) => {
    expect([read(path), write(path)]).toEqual(["approve-once", "approve-once"]);
  },
);

test.each([
  "../outside.txt",
  "up/outside.txt",
  "dangling",
  "loop/x",
  "../worktree-of-another/a",
  "/etc/passwd",
])("%s is neither read nor written", (path) => {
  expect([read(path), write(path)]).toEqual(["reject", "reject"]);
});

test("the session's own directory is read, and written only where it is the agent's", () => {
  expect(read(join(baseDirectory, "session-state/s1/events.jsonl"))).toBe("approve-once");
  expect(write(join(baseDirectory, "session-state/s1/events.jsonl"))).toBe("reject");
  expect(write(join(baseDirectory, "home/.cache/x"))).toBe("approve-once");
});

test("the agent's own skills are read and never written, and another's not even read", () => {
  const [own, others] = [join(root, "skills/7/sql/SKILL.md"), join(root, "skills/8/sql/SKILL.md")];
  expect([own, others].map(read)).toEqual(["approve-once", "reject"]);
  expect([own, others].map(write)).toEqual(["reject", "reject"]);
});

test.each([".git", ".git/config"])("%s is read but not written", (path) => {
  expect([read(path), write(path)]).toEqual(["approve-once", "reject"]);
});

test("a shell is for roles that have one", () => {
  expect(decide({ kind: "shell", fullCommandText: "ls" })).toBe("reject");
  expect(decide({ kind: "shell", fullCommandText: "ls" }, ["shell"])).toBe("approve-once");
  expect(decide({ kind: "shell", fullCommandText: "ls", requestSandboxBypass: true }, ["shell"])).toBe(
    "reject",
  );
});

test("only the tools of the role and no other kind of act are allowed", () => {
  expect(decide({ kind: "custom-tool", toolName: "note" })).toBe("approve-once");
  expect(decide({ kind: "custom-tool", toolName: "other" })).toBe("reject");
  for (const kind of ["url", "mcp", "memory", "hook", "something-new"])
    expect(decide({ kind })).toBe("reject");
});
