import { describe, expect, it } from "vitest";
import { builtinTools } from "../../../src/adapters/runtimes/copilot/builtin-tools.ts";
import { linesShown, placed } from "../../../src/domain/review/diff-lines.ts";
import { citedAmong, ranTexts } from "../../../src/domain/review/evidence-cited.ts";
import { personAs } from "../../../src/domain/review/reviewer.ts";
import type { GivenVerdict } from "../../../src/domain/review/verdict.ts";
import { commitUnderReview, verdictFault } from "../../../src/domain/review/verdict-fault.ts";
import { aPerson } from "../../factories/an-occurrence.ts";

const COMMIT = "c".repeat(40);
const given: GivenVerdict = {
  commit: COMMIT,
  verdict: "approve",
  body: "Fine.",
  comments: [],
  evidence: ["npm test"],
};
const facts = { commit: COMMIT, rejectedBy: [], ran: ["npm test"] };
const UP = { state: "READY_FOR_REVIEW", reviewCommit: COMMIT } as const;
const HELD = { state: "HELD", holderId: 5 } as const;

const row = (
  tool: string,
  input: unknown,
  status: "success" | "failure" | "denied" | "running" = "success",
) => ({
  tool,
  input: JSON.stringify(input),
  status,
});
const at = (path: string, line: number | null) => ({ path, line, body: "x" });

describe("a verdict", () => {
  it("is taken from the holder of the review, about the commit under review, with what it ran", () => {
    expect(verdictFault(given, facts)).toBeNull();
    const comment = { path: "a.ts", line: 1, body: "x", inline: true };
    expect(verdictFault({ ...given, verdict: "reject", comments: [comment] }, facts)).toBeNull();
    expect(
      verdictFault({ ...given, verdict: "reject", body: "It breaks on empty input." }, facts),
    ).toBeNull();
  });

  it("is about the commit under review of the agent that holds the review", () => {
    expect(commitUnderReview(5, UP, HELD)).toBe(COMMIT);
  });

  it.each([
    ["no task", null, HELD],
    ["work that is not under review", { state: "APPROVED", reviewCommit: COMMIT }, HELD],
    ["no lease", UP, null],
    ["a lease that is over", UP, { state: "FREE", holderId: null }],
    ["another's lease", UP, { state: "HELD", holderId: 6 }],
  ] as const)("is nobody's with %s", (_, task, lease) => {
    const commit = commitUnderReview(5, task, lease);
    expect(verdictFault(given, { ...facts, commit })).toContain("not yours any more");
  });

  it("is sent back with what is wrong", () => {
    expect(verdictFault({ ...given, commit: "d" }, facts)).toContain(`Under review is ${COMMIT}`);
    expect(verdictFault({ ...given, verdict: "reject" }, facts)).toContain("needs its reasons");
    expect(verdictFault(given, { ...facts, ran: [] })).toContain("run nothing yet");
    const rejectedBy = ["alice", "bob"].map((login) => personAs(aPerson(login)));
    expect(verdictFault(given, { ...facts, rejectedBy })).toContain("@alice and @bob requested changes");
    const rejects = { ...given, verdict: "reject", body: "It breaks on empty input." } as const;
    expect(verdictFault(rejects, { ...facts, rejectedBy })).toBeNull();
    const ran = ["one", "two", "three", "four", "five", "six"];
    expect(verdictFault(given, { ...facts, ran })).toMatch(/the last were `two`, .*`six`\.$/);
  });
});

describe("what was run", () => {
  it("are commands, failed ones too, and none that was denied or is not known to have ended", () => {
    const calls = [
      row("bash", { command: "npm test", description: "x" }),
      row("bash", { command: "make" }, "failure"),
      row("bash", { command: "rm x" }, "denied"),
      row("bash", { command: "sleep 9" }, "running"),
      row("view", { path: "a.ts" }),
      row("read_pr", {}),
    ];
    expect(ranTexts(calls, { shell: true, runtimeTools: builtinTools })).toEqual(["npm test", "make"]);
    expect(ranTexts(calls.slice(4), { shell: false, runtimeTools: builtinTools })).toEqual(["view a.ts"]);
  });

  it("are told as they are kept where the arguments were cut or are no object", () => {
    const cut = { tool: "bash", input: '{"command":"npm te', status: "success" } as const;
    expect(ranTexts([cut], { shell: true, runtimeTools: builtinTools })).toEqual(['{"command":"npm te']);
    expect(ranTexts([row("bash", "ls")], { shell: true, runtimeTools: builtinTools })).toEqual(['bash "ls"']);
    expect(ranTexts([row("bash", null)], { shell: true, runtimeTools: builtinTools })).toEqual(["bash null"]);
  });

  it("is cited alone or as a part of a longer command, whatever stands around it", () => {
    const ran = ["cd app &&\n  npm test -- --run"];
    expect(citedAmong(["`npm test`", "$ npm test", "npm  test", "make", "np"], ran)).toEqual([
      "`npm test`",
      "$ npm test",
      "npm  test",
    ]);
  });
});

describe("a comment", () => {
  const PATCH = [
    "diff --git a/src/a.ts b/src/a.ts",
    "index 1..2 100644",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -10,3 +10,4 @@ function a() {",
    " kept",
    "-gone",
    "+new",
    "+++ looks like a header",
    "\\ No newline at end of file",
    "@@ -30 +32 @@",
    "+more",
    "diff --git a/b.md b/b.md",
    "--- /dev/null",
    "+++ b/b.md",
    "@@ -0,0 +1 @@",
    "+text",
    "",
  ].join("\n");

  it("can stand at the lines of the new side that the diff shows", () => {
    const shown = linesShown(PATCH);
    expect([...(shown.get("src/a.ts") ?? [])]).toEqual([10, 11, 12, 32]);
    expect([...(shown.get("b.md") ?? [])]).toEqual([1]);
  });

  it("stands in the text where it is of another line, another file, or a whole file", () => {
    const comments = [at("src/a.ts", 11), at("src/a.ts", 13), at("c.ts", 1), at("b.md", null)];
    expect(placed(comments, PATCH).map(({ inline }) => inline)).toEqual([true, false, false, false]);
  });
});
