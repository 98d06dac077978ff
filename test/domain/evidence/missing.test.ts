import { describe, expect, it } from "vitest";
import { type Missing, missing, missingSentence } from "../../../src/domain/evidence/missing.ts";
import { missingFact } from "../../../src/domain/evidence/missing-fact.ts";

const COMMAND = { command: "npm test", exitCode: 1, timedOut: false, output: "1 failed\n" };
const ALL: readonly Missing[] = [
  { kind: "uncommitted", paths: ["a.ts"] },
  { kind: "empty_diff" },
  { kind: "head_moved", claimed: null, head: null },
  { kind: "not_pushed" },
  { kind: "branch_moved", claimed: "c1", server: "c2" },
  { kind: "protected_paths", paths: ["CODEOWNERS"] },
  { kind: "tests_weakened", summary: "1 test gone", findings: ["a: b"], hash: "h", reason: "no" },
  { kind: "pull_missing" },
  { kind: "pull_closed", pull: 50 },
  { kind: "pull_foreign", pull: 50, author: "bob" },
  { kind: "pull_other_branch", pull: 50, branch: "x" },
  { kind: "pull_other_base", pull: 50, base: "old", expected: "main" },
  { kind: "pull_unlinked", pull: 50, issue: 42 },
  { kind: "setup_failed", ...COMMAND },
  { kind: "services_failed", ...COMMAND, command: "services.redis" },
  { kind: "command_failed", ...COMMAND },
  { kind: "check_failed", check: "build", conclusion: "failure", job: null, step: null, log: "" },
  { kind: "low_confidence", confidence: 0.4, threshold: 0.85, reason: "No test has an empty report." },
  { kind: "commit_rejected", commit: "c1", reviewer: "reviewer" },
  { kind: "changes_requested", commit: "c1", people: ["alice", "bob"] },
  { kind: "review_missing" },
  { kind: "verdict_missing" },
  { kind: "verdict_stale", commit: "c1", head: "c2" },
  { kind: "no_output" },
  { kind: "parts_are_drafts", issues: [43, 44] },
];

describe("what a claim lacks", () => {
  it("is known in all its kinds here", () => {
    expect(ALL.map(({ kind }) => kind)).toEqual(missing.options.map(({ shape }) => shape.kind.value));
  });

  it.each(ALL.map((item) => [item.kind, item] as const))("is told with what to do: %s", (_, item) => {
    expect(missing.parse(item)).toEqual(item);
    const sentence = missingSentence(item);
    expect(sentence).toMatch(/`[a-z_]+`|Fix|Put|claim again|Look|Make|set a label/);
    expect(sentence).not.toMatch(/undefined|null|NaN/);
  });

  it.each(ALL.map((item) => [item.kind, item] as const))(
    "is told to people without an order: %s",
    (_, item) => {
      expect(missingFact(item)).not.toMatch(
        /\byour?\b|\bUse\b|Fix|Put|Look|`[a-z]+_[a-z_]+`|undefined|null|NaN/i,
      );
    },
  );

  it("says that a person gave no reason where there is none", () => {
    const item: Missing = {
      kind: "tests_weakened",
      summary: "1 test gone",
      findings: [],
      hash: "h",
      reason: null,
    };
    expect(missingSentence(item)).toContain("does to the tests: no reason was given.");
  });

  it("names ten files at most, and how many more there are", () => {
    const paths = Array.from({ length: 12 }, (_, index) => `f${index}.ts`);
    const say = (count: number) => missingSentence({ kind: "uncommitted", paths: paths.slice(0, count) });
    expect(say(10)).toContain("f9.ts. Use");
    expect(say(12)).toContain("f9.ts and 2 more");
    expect(say(12)).not.toContain("f10.ts");
  });

  it.each([
    [{ exitCode: 2 }, "(exit code 2)"],
    [{ exitCode: null, timedOut: true }, "(it was ended at its time limit)"],
    [{ exitCode: null }, "(a signal ended it)"],
  ])("says of a command that ended as %j how that was", (end, words) => {
    expect(missingSentence({ kind: "command_failed", ...COMMAND, ...end })).toContain(words);
  });

  it("shows the end of a long output, and no empty one", () => {
    const output = `first line\n${"x".repeat(3000)}\nlast line`;
    const sentence = missingSentence({ kind: "command_failed", ...COMMAND, output });
    expect(sentence).toContain("    last line");
    expect(sentence).not.toContain("first line");
    expect(missingSentence({ kind: "command_failed", ...COMMAND, output: " \n" })).not.toContain("output");
  });
});
