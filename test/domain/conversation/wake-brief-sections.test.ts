import { describe, expect, it } from "vitest";
import {
  newCommitsText as markedBaseNewsText,
  checksText as markedChecksText,
  commentsText as markedCommentsText,
  ownHandoffText as markedOwnHandoffText,
  reviewCommentsText as markedReviewCommentsText,
} from "../../../src/domain/conversation/wake-brief-sections.ts";
import type { CommitCheck } from "../../../src/domain/ports/github.ts";
import { AT } from "../../factories/moment.ts";
import { person } from "../../fakes/github-world.ts";
import { plain } from "../text/plain.ts";

const baseNewsText = plain(markedBaseNewsText);
const commentsText = plain(markedCommentsText);
const reviewCommentsText = plain(markedReviewCommentsText);
const checksText = plain(markedChecksText);
const ownHandoffText = plain(markedOwnHandoffText);

const comment = (body: string, id = 1) => ({
  id,
  body,
  author: person("alice"),
  createdAt: "2026-01-01T12:00:00Z",
  url: `https://x/${id}`,
});

const red = (name: string, output?: string): CommitCheck => ({
  name,
  state: "red",
  conclusion: "failure",
  ...(output === undefined ? {} : { output }),
});

describe("news of the base branch", () => {
  const commit = "a".repeat(40);

  it("is none while it stands still", () => {
    expect(baseNewsText("main", { commits: 0, touching: [], conflicts: [] })).toBeNull();
  });

  it("counts the commits, names those that touch own files, and the files in conflict", () => {
    const text = baseNewsText("main", {
      commits: 3,
      touching: [{ commit, subject: "Rename the lamp" }],
      conflicts: ["src/a.ts", "src/b.ts"],
    });
    expect(text).toBe(
      [
        "The base branch `main` moved: it has 3 commits that your branch lacks.",
        "These of them touch files that you changed, newest first:",
        "- aaaaaaaaaa Rename the lamp",
        "A merge of it would meet conflicts in: src/a.ts, src/b.ts.",
      ].join("\n"),
    );
  });

  it("says that nothing is touched and no conflict is met", () => {
    const text = baseNewsText("main", { commits: 1, touching: [], conflicts: [] });
    expect(text).toContain("it has 1 commit that");
    expect(text).toContain("None of them touches");
    expect(text).toContain("would meet no conflict");
  });

  it("names twenty files in conflict, and counts the others", () => {
    const conflicts = Array.from({ length: 23 }, (_, index) => `f${index}`);
    expect(baseNewsText("main", { commits: 1, touching: [], conflicts })).toContain("f19 and 3 more.");
  });
});

describe("news of comments", () => {
  it("is none when nobody said anything", () => {
    expect(commentsText([], 0)).toBeNull();
    expect(reviewCommentsText([], 0)).toBeNull();
  });

  it("quotes each with author and link, and file and line where it is on one", () => {
    expect(commentsText([comment("one\ntwo\n")], 0)).toBe(
      "New comments:\n- @alice (https://x/1):\n> one\n> two",
    );
    const text = reviewCommentsText(
      [
        { ...comment("Why?"), path: "src/a.ts", line: 7 },
        { ...comment("All of it."), path: "src/b.ts", line: null },
      ],
      0,
    );
    expect(text).toContain("- src/a.ts:7, @alice (https://x/1):\n> Why?");
    expect(text).toContain("- src/b.ts, @alice (https://x/1):\n> All of it.");
  });

  it("counts those of people who may not steer, and shows nothing of them", () => {
    expect(commentsText([], 1)).toContain("- (1 comment by people without permission");
    expect(commentsText([], 2)).toContain("- (2 comments by people");
  });

  it("shows the latest six, counts the others, and cuts a long one", () => {
    const text = commentsText(
      Array.from({ length: 8 }, (_, index) => comment("word ".repeat(200), index)),
      0,
    );
    expect(text).toContain("- (2 earlier ones not shown)");
    expect(text).not.toContain("https://x/1)");
    expect(text).toContain("https://x/2)");
    expect(text).toMatch(/cut: 5\d\d characters/);
  });
});

const changedAt = (at: number) => ({ changedAt: new Date(at).toISOString() });

describe("news of checks", () => {
  it("is none without checks", () => {
    expect(checksText([], AT)).toBeNull();
  });

  it("counts them, and quotes the end of what a red one says", () => {
    const text = checksText(
      [
        { name: "lint", state: "green", conclusion: "success" },
        { name: "docs", state: "pending", conclusion: "queued" },
        red("build", `${"noise\n".repeat(500)}expected 1, got 2\n`),
        red("test"),
      ],
      AT,
    );
    expect(text).toContain(": 2 red (build, test), 1 pending (docs), 1 green (lint).");
    expect(text).toMatch(/- build: failure\. It says:\n> \(cut: \d+ characters\) …/);
    expect(text).toContain("> expected 1, got 2\n- test: failure.");
  });

  it("tells those that changed since, and counts the others as they were", () => {
    const build = { ...red("build"), ...changedAt(AT) };
    const before = [
      { ...red("test"), ...changedAt(AT - 1000) },
      { name: "lint", state: "green", conclusion: "success", ...changedAt(AT - 1000) },
    ] as const;
    expect(checksText([build, ...before], AT + 999)).toBe(
      "Checks of your pushed head that changed while you slept: 1 red (build). As before: 1 red (test), 1 green (lint).\n- build: failure.",
    );
    expect(checksText(before, AT)).toBe(
      "No check of your pushed head changed while you slept. As before: 1 red (test), 1 green (lint).",
    );
  });

  it("names three red ones and counts the others", () => {
    const text = checksText(
      ["a", "b", "c", "d", "e"].map((name) => red(name)),
      AT,
    );
    expect(text).toContain("- c: failure.\n- (2 more red checks)");
  });
});

it("quotes the agent's own handoff, cut", () => {
  const row = {
    id: 1,
    agentId: 1,
    sessionId: null,
    cause: "context" as const,
    writtenBy: "agent" as const,
    summary: "Half is done.",
    nextAction: "Do the other half.",
    repeated: null,
    createdAt: 0,
  };
  expect(ownHandoffText(row)).toBe(
    "Your own handoff:\n> Half is done.\n> \n> Next action: Do the other half.",
  );
  expect(ownHandoffText({ ...row, summary: "x".repeat(5000) }).length).toBeLessThan(1100);
});
