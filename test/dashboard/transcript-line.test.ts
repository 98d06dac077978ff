import { expect, it } from "vitest";
import { readableInput, textAt } from "../../src/dashboard/page/call-input.ts";
import {
  callEnd,
  callLine,
  exitCodeIn,
  outputText,
  verbOf,
  withoutWorktree,
} from "../../src/dashboard/page/transcript-line.ts";
import { TOOL_NAMES } from "../../src/engine/tools/catalog.ts";

const line = (tool: string, input: object | string): string => {
  const { verb, code, words } = callLine(tool, typeof input === "string" ? input : JSON.stringify(input));
  return [verb, code === "" ? "" : `\`${code}\``, words].filter((part) => part !== "").join(" ");
};

it.each([
  ["bash", { command: "npm test -- export", description: "Test" }, "ran `npm test -- export`"],
  ["Bash", { command: "npm test\nnpm run lint" }, "ran `npm test npm run lint`"],
  ["exec_command", { cmd: "ls" }, "ran `ls`"],
  ["run_shell_command", { command: "ls" }, "ran `ls`"],
  ["edit", { path: "src/a.ts", old_str: "a", new_str: "b" }, "edited `src/a.ts`"],
  ["Edit", { file_path: "src/a.ts" }, "edited `src/a.ts`"],
  ["create", { path: "src/a.ts", file_text: "a" }, "wrote `src/a.ts`"],
  ["apply_patch", {}, "edited `files`"],
  [
    "apply_patch",
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: b.ts\n",
    "edited `src/a.ts, b.ts`",
  ],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: b.ts\n" },
    "edited `src/a.ts, b.ts`",
  ],
  ["apply_patch", JSON.stringify("*** Begin Patch\n*** Delete File: src/a.ts\n"), "edited `src/a.ts`"],
  ["read_file", { absolute_path: "README.md" }, "read `README.md`"],
  ["rg", { pattern: "foo", path: "src" }, "searched for `foo` in src"],
  ["glob", { pattern: "**/*.ts" }, "listed `**/*.ts`"],
  ["list_directory", {}, "listed `.`"],
  ["web_fetch", { url: "https://a.test/" }, "fetched `https://a.test/`"],
  ["ask_human", { question: "Which one?", who: "@octocat" }, "asked @octocat: Which one?"],
  ["ask_human", { question: "Which one?" }, "asked people: Which one?"],
  ["commit", { message: "Add it\n\nBecause." }, "committed “Add it”"],
  [
    "report_blocked",
    { blocker_issue: 2, reason: "It is red." },
    "reported that it is blocked by #2: It is red.",
  ],
  ["report_blocked", { reason: "It is red." }, "reported that it is blocked: It is red."],
  ["submit_verdict", { verdict: "reject", body: "No test." }, "asked for changes: No test."],
  ["submit_verdict", { verdict: "approve", body: "Good." }, "approved the work: Good."],
  [
    "propose_lesson",
    { line: "Run `npm test`.", citation: "command-1" },
    "proposed a lesson: Run `npm test`.",
  ],
  ["restore_files", { paths: ["a", "b"] }, "restored `a, b`"],
  ["read_issue", {}, "read its issue"],
  ["read_pr", { number: 5 }, "read pull request #5"],
  ["mcp__flotilla__open_pr", { title: "Add it" }, "opened a pull request: Add it"],
  ["tracker_find", { query: "x" }, "called `tracker_find`"],
  ["constructor", {}, "called `constructor`"],
])("tells a call of %s with %o as: %s", (tool, input, words) => {
  expect(line(tool, input)).toBe(words);
});

const told = (tool: string, status: string) => verbOf(callLine(tool, "{}"), status);

it("tells a call that has not ended as under way, where it takes a while", () => {
  expect(told("bash", "running")).toBe("running");
  expect(told("edit", "pending")).toBe("editing");
  expect(told("edit", "interrupted")).toBe("edited");
  expect(told("report_complete", "pending")).toBe("reported that it is done:");
});

it("knows each tool of Flotilla", () => {
  expect(TOOL_NAMES.filter((tool) => callLine(tool, "{}").verb === "called")).toEqual([]);
});

it("reads arguments that are cut off", () => {
  expect(line("bash", '{"command":"npm test \\"a\\" && npm run li')).toBe('ran `npm test "a" && npm run li`');
  expect(textAt('{"path":"src/a.ts","file_text":"a long te', "path")).toBe("src/a.ts");
  expect(textAt('{"path":"a\\', "path")).toBe("a");
  expect(textAt("[1]", "path")).toBe("");
});

it("shows arguments as lines of names and values, and others as they are", () => {
  expect(readableInput('{"path":"a.ts","lines":[1,2],"text":"one\\ntwo"}')).toBe(
    "path: a.ts\nlines: [1,2]\ntext: \n  one\n  two",
  );
  expect(readableInput("{}")).toBe("");
  expect(readableInput('{"path":"a')).toBe('{"path":"a');
});

const own = (text: string) => withoutWorktree(text, "feat-dev-issue-1");

it("shows paths relative to the agent's own worktree, and no other path", () => {
  const root = "/var/lib/flotilla/worktrees/1007/feat-dev-issue-1";
  expect(own(`cat ${root}/src/a.ts ${root}/b`)).toBe("cat src/a.ts b");
  expect(own(`cd ${root} && ls`)).toBe("cd . && ls");
  expect(own(`cd ${root}.checkout/src`)).toBe("cd src");
  for (const other of [`${root}2/a`, `${root}.2/a`, "/etc/passwd", "/a/worktrees/x/feat-dev-issue-1/a"])
    expect(own(other)).toBe(other);
  expect(withoutWorktree("/d/worktrees/7/a.b/c", "a+b")).toBe("/d/worktrees/7/a.b/c");
});

it.each([
  ["one\n<shellId: 0 completed with exit code 2>", 2],
  ["Exit code 1\nfailed", 1],
  ["Exit code: 0\nWall time: 1 s\nOutput:\nfine", 0],
  ["Wall time: 0.1 seconds\nProcess exited with code 3\nOutput:\n", 3],
  ["Command: x\nOutput: y\nExit Code: 4\nProcess Group PGID: 12", 4],
  ["it said: exit code 9", null],
  ["<shellId: 0 completed with exit code 9>\nand then more", null],
  ["Output:\nProcess exited with code 9\n", null],
  ["", null],
])("finds in the output %j the exit code %s", (output, code) => {
  expect(exitCodeIn(output)).toBe(code);
});

it("says how a call ended, in as few words as that takes", () => {
  expect(callEnd("ran", "success", "a\n<shellId: 0 completed with exit code 0>")).toBe("exit 0");
  expect(callEnd("ran", "failure", "Exit code 1\nb")).toBe("exit 1");
  expect(callEnd("ran", "success", "a")).toBe("");
  expect(callEnd("read", "success", "Exit code 1")).toBe("");
  expect(callEnd("read", "failure", "no such file")).toBe("failed");
  expect(callEnd("ran", "running", null)).toBe("running");
  expect(callEnd("committed", "success", `Committed and pushed as ${"a1".repeat(20)}.`)).toBe("a1a1a1a");
  expect(callEnd("opened a pull request:", "success", "Pull request #6 is open.")).toBe("#6");
  expect(callEnd("committed", "denied", "no")).toBe("denied");
  expect(outputText("\na\n<shellId: 0 completed with exit code 0>\n")).toBe("a");
});
