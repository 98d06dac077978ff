import { describe, expect, it } from "vitest";
import {
  ANSWERS,
  EFFECT_LANE,
  type Effect,
  type EffectKind,
  effect,
  FENCED,
} from "../../../src/domain/kernel/effect.ts";

const samples: { readonly [K in EffectKind]: Extract<Effect, { kind: K }> } = {
  open_session: { kind: "open_session" },
  open_scheduled: { kind: "open_scheduled", schedule: "weekly", begun: 1 },
  notify: { kind: "notify", receiver: "team", event: "question" },
  close_session: { kind: "close_session", checkpoint: true, destroy: false },
  remove_worktree: { kind: "remove_worktree", quiet: false },
  interrupt: { kind: "interrupt" },
  forget_work: { kind: "forget_work" },
  status_comment: { kind: "status_comment" },
  post_comment: { kind: "post_comment", name: "answer-1", body: "Hello." },
  question_comment: { kind: "question_comment", question: 4 },
  add_labels: { kind: "add_labels", labels: ["needs-human"] },
  remove_label: { kind: "remove_label", label: "needs-human" },
  task_label: { kind: "task_label" },
  close_issue: { kind: "close_issue" },
  create_backport: { kind: "create_backport", task: 2, base: "release-1", role: "feat-dev", by: "alice" },
  react: {
    kind: "react",
    commentId: 1,
    place: "issue",
    reaction: "+1",
    command: { verb: "pause", by: "alice", delivery: "d-1" },
  },
  open_incident: { kind: "open_incident", incident: 1, title: "All fail", body: "Alike." },
  add_blocked_by: { kind: "add_blocked_by", blocker: 7 },
  look_at_blockers: { kind: "look_at_blockers", repositoryId: 1, issue: 5 },
  look_at_checks: { kind: "look_at_checks", agentId: 3 },
  look_at_review_checks: { kind: "look_at_review_checks", task: 2 },
  rerun_check: { kind: "rerun_check", commit: "c1", check: "build", run: "9@", job: 9, agentId: 3 },
  offer_review: { kind: "offer_review", asked: null },
  offer_attempt: { kind: "offer_attempt" },
  publish_verdict: { kind: "publish_verdict", verdict: 2 },
  publish_review: { kind: "publish_review" },
  look_at_issue: { kind: "look_at_issue" },
  recheck_blocker: { kind: "recheck_blocker", blocker: 7 },
  commit: { kind: "commit", message: "Add a dark mode" },
  open_pr: { kind: "open_pr", title: "Add a dark mode", body: "It is there." },
  pull_facts: { kind: "pull_facts" },
  create_sub_issue: {
    kind: "create_sub_issue",
    name: "planner-issue-1-part-0",
    title: "A palette",
    body: "First.",
    role: null,
    after: [2],
  },
  create_blocker_issue: {
    kind: "create_blocker_issue",
    name: "feat-dev-issue-1-blocker-0",
    title: "A palette",
    body: "First.",
    labels: [],
  },
  look_at_train: { kind: "look_at_train" },
  update_branch: { kind: "update_branch", task: 3, head: "a".repeat(40), base: "b".repeat(40) },
  merge_pull: { kind: "merge_pull", task: 3, pull: 4, head: "a".repeat(40), base: "b".repeat(40) },
  offer_lesson: { kind: "offer_lesson", asked: null },
  propose_lesson: {
    kind: "propose_lesson",
    branch: "flotilla/lesson-abcdefghijklmnop",
    line: "Add a test to each change.",
    message: "Add a lesson",
    title: "Lesson",
    body: "One line.",
  },
  propose_file: {
    kind: "propose_file",
    branch: "flotilla/configure",
    path: ".github/flotilla.yml",
    content: "# Nothing\n",
    message: "Configure",
    title: "Configure",
    body: "One file.",
  },
};

describe("an effect", () => {
  it.each(Object.values(samples))("$kind is read back from what was stored", (sample) => {
    expect(effect.parse(JSON.parse(JSON.stringify(sample)))).toEqual(sample);
  });

  it.each(Object.values(samples))("$kind is refused with a field that it does not have", (sample) => {
    expect(effect.safeParse({ ...sample, token: "x" }).success).toBe(false);
  });

  it.each([
    [{}],
    [{ kind: "rm_rf" }],
    [{ kind: "constructor" }],
    [{ kind: "post_comment", name: "answer-1" }],
    [{ kind: "react", commentId: 1, reaction: "heart" }],
    [{ kind: "add_blocked_by", blocker: 1.5 }],
    [null],
  ])("is not %j", (value) => {
    expect(effect.safeParse(value).success).toBe(false);
  });

  it("of sessions, worktrees and outputs is in the agent's lane, what people read in the issue's, merges in the merge queue's", () => {
    const kinds = Object.values(samples).map(({ kind }) => kind);
    expect(kinds.filter((kind) => EFFECT_LANE[kind] === "agent")).toEqual([
      "open_session",
      "close_session",
      "remove_worktree",
      "forget_work",
      "commit",
      "open_pr",
    ]);
    expect(kinds.filter((kind) => EFFECT_LANE[kind] === "interrupts")).toEqual(["interrupt"]);
    expect(kinds.filter((kind) => EFFECT_LANE[kind] === "blockers")).toEqual(["look_at_blockers"]);
    expect(kinds.filter((kind) => EFFECT_LANE[kind] === "merge_queue")).toEqual([
      "look_at_train",
      "update_branch",
      "merge_pull",
    ]);
  });

  it("that people read or wait for is in the lane of its issue", () => {
    expect(ANSWERS).toEqual(["react", "post_comment", "question_comment", "status_comment"]);
    expect(new Set(ANSWERS.map((kind) => EFFECT_LANE[kind]))).toEqual(new Set(["issue"]));
  });

  it("that acts for one period of activity is fenced", () => {
    expect([...FENCED]).toEqual(["open_session", "interrupt", "commit", "open_pr"]);
  });
});
