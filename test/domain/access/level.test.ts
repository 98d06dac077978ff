import { describe, expect, it } from "vitest";
import { atLevel, keepsWork, LEVELS, lower, Withheld } from "../../../src/domain/access/level.ts";
import { levelIn, levelOfIssue, mergesItself } from "../../../src/domain/access/level-of.ts";
import { levelOfRequest } from "../../../src/domain/access/level-of-call.ts";
import { EFFECT_LANE, type EffectKind } from "../../../src/domain/kernel/effect.ts";

const y = "allowed";
const n = "withheld";

/** Every kind of effect at observe, comment, draft, pr and merge. */
const TABLE: Readonly<Record<EffectKind, readonly string[]>> = {
  open_session: [y, y, y, y, y],
  close_session: [y, y, y, y, y],
  remove_worktree: [y, y, y, y, y],
  interrupt: [y, y, y, y, y],
  forget_work: [y, y, y, y, y],
  recheck_blocker: [y, y, y, y, y],
  look_at_blockers: [y, y, y, y, y],
  look_at_issue: [y, y, y, y, y],
  look_at_checks: [y, y, y, y, y],
  look_at_review_checks: [y, y, y, y, y],
  look_at_train: [y, y, y, y, y],
  open_scheduled: [n, n, y, y, y],
  notify: [y, y, y, y, y],
  offer_review: [y, y, y, y, y],
  offer_attempt: [y, y, y, y, y],
  status_comment: [n, y, y, y, y],
  post_comment: [n, y, y, y, y],
  question_comment: [n, y, y, y, y],
  add_labels: [n, y, y, y, y],
  remove_label: [n, y, y, y, y],
  task_label: [n, y, y, y, y],
  react: [n, y, y, y, y],
  open_incident: [n, y, y, y, y],
  add_blocked_by: [n, y, y, y, y],
  create_blocker_issue: [n, n, y, y, y],
  create_sub_issue: [n, n, y, y, y],
  create_backport: [n, n, y, y, y],
  close_issue: [n, n, y, y, y],
  rerun_check: [n, n, y, y, y],
  publish_verdict: [n, n, y, y, y],
  publish_review: [n, n, y, y, y],
  commit: [n, n, y, y, y],
  pull_facts: [n, n, y, y, y],
  open_pr: [n, n, "draft", y, y],
  propose_file: [n, n, "draft", y, y],
  offer_lesson: [y, y, y, y, y],
  propose_lesson: [n, n, y, y, y],
  update_branch: [n, n, n, n, y],
  merge_pull: [n, n, n, n, y],
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record of effect kinds are effect kinds
const KINDS = Object.keys(EFFECT_LANE) as EffectKind[];

it.each(KINDS)("at each level %s is done or withheld as the table says", (kind) => {
  expect(LEVELS.map((level) => atLevel(level, kind))).toEqual(TABLE[kind]);
});

it("keeps work on this machine below draft", () => {
  expect(LEVELS.map(keepsWork)).toEqual([true, true, false, false, false]);
});

it("takes the lower of two levels", () => {
  expect(lower("pr", "comment")).toBe("comment");
  expect(lower("comment", "pr")).toBe("comment");
});

it("says what was withheld, and what would let it out", () => {
  const error = new Withheld("observe", { name: "putComment", with: [7, { body: "Hello" }] });
  expect(error).toMatchObject({ consequence: "stop", uncertain: false, level: "observe" });
  expect(error.message).toBe("putComment was withheld: the level here is observe");
  expect(error.advice).toContain("Raise `level`");
});

describe("the level of a repository and of an issue", () => {
  const settings = {
    level: "pr",
    levels: {
      repositories: { "acme/docs": "merge", "acme/*": "draft", "*/shop": "observe" },
      labels: { "Hands-Off": "observe", careful: "comment", bold: "merge" },
    },
    merge: { auto: true },
  } as const;

  it("is that of the first pattern that matches, whatever its case, else that of the whole", () => {
    const named = ["acme/docs", "ACME/Docs", "acme/shop", "other/shop", "other/docs"];
    expect(named.map((name) => levelIn(settings, name))).toEqual([
      "merge",
      "merge",
      "draft",
      "observe",
      "pr",
    ]);
  });

  it("is lowered by a label, never raised, and the lowest of several counts", () => {
    const put = [[], ["bold"], ["careful"], ["careful", "hands-off"], ["other"]];
    const levels = put.map((labels) => levelOfIssue(settings, "acme/shop", labels));
    expect(levels).toEqual(["draft", "draft", "comment", "observe", "draft"]);
  });

  it("lets the merge queue merge only where both the switch and the level say so", () => {
    expect(mergesItself(settings, "acme/docs")).toBe(true);
    expect(mergesItself(settings, "acme/shop")).toBe(false);
    expect(mergesItself({ ...settings, merge: { auto: false } }, "acme/docs")).toBe(false);
  });
});

describe("requests", () => {
  it.each([
    ["GET", "/repos/a/b/pulls/1", null],
    ["HEAD", "/repos/a/b", null],
    ["POST", "/repos/a/b/issues/1/comments", "comment"],
    ["PATCH", "/repos/a/b/issues/comments/5", "comment"],
    ["POST", "/repos/a/b/issues/comments/5/reactions", "comment"],
    ["POST", "/repos/a/b/pulls/comments/5/reactions", "comment"],
    ["POST", "/repos/a/b/labels", "comment"],
    ["DELETE", "/repos/a/b/issues/1/labels/x", "comment"],
    ["POST", "/repos/a/b/issues", "comment"],
    ["POST", "/repos/a/b/pulls", "draft"],
    ["PATCH", "/repos/a/b/pulls/4", "draft"],
    ["POST", "/repos/a/b/pulls/4/reviews", "draft"],
    ["POST", "/repos/a/b/check-runs", "draft"],
    ["PUT", "/repos/a/b/contents/x.yml", "draft"],
    ["POST", "/repos/a/b/git/refs", "draft"],
    ["POST", "/repos/a/b/git/trees", "draft"],
    ["POST", "/repos/a/b/actions/jobs/9/rerun", "draft"],
    ["PUT", "/repos/a/b/pulls/4/merge", "merge"],
    ["POST", "/repos/a/b/merges", "merge"],
  ] as const)("%s %s is sent from %s on", (method, path, level) => {
    expect(levelOfRequest(method, path)).toBe(level);
  });
});
