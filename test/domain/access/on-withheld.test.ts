import { describe, expect, it } from "vitest";
import { onWithheld, wouldWords } from "../../../src/domain/access/on-withheld.ts";
import type { Effect } from "../../../src/domain/kernel/effect.ts";
import { anAgent } from "../../factories/records.ts";

const comment: Effect = { kind: "post_comment", name: "says", body: "Which\n one?" };
const label: Effect = { kind: "add_labels", labels: ["needs-human", "escalation:decision"] };
const question: Effect = { kind: "question_comment", question: 3 };
const at = { level: "observe", at: 7 } as const;

describe("what was withheld", () => {
  it("is a decision about its agent that says what would let it out", () => {
    expect(onWithheld(comment, anAgent({ state: "ACTIVE" }), at)).toMatchObject({
      moves: [],
      decisions: [
        {
          rule: "withheld",
          agentId: 11,
          reason: "the level is observe, so nothing was written: it would comment: Which one?",
          change: "`level` comment lets it out",
        },
      ],
    });
  });

  it.each([{ kind: "status_comment" }, { kind: "task_label" }] as const)(
    "is told of the issue alone where it only shows how things stand: $kind",
    (effect) => {
      const { decisions } = onWithheld(effect, anAgent({ state: "ESCALATED" }), at);
      expect(decisions).toMatchObject([{ agentId: null }]);
    },
  );

  it.each([
    [
      "an escalated agent, with why it escalated",
      anAgent({ state: "ESCALATED", reason: "Specs differ" }),
      label,
      "Specs differ",
    ],
    [
      "one that asked",
      anAgent({ state: "SLEEPING", sleepReason: "question" }),
      question,
      "it would ask people its question",
    ],
    [
      "one that needs an approval",
      anAgent({ state: "SLEEPING", sleepReason: "approval" }),
      comment,
      "it would comment: Which one?",
    ],
  ])("ends %s", (_, agent, effect, words) => {
    expect(onWithheld(effect, agent, at).moves).toEqual([
      {
        machine: "agent",
        id: 11,
        event: {
          type: "CANCEL",
          at: 7,
          actor: "flotilla",
          quiet: false,
          why: `the level is observe, at which nobody is asked, and it needs a person: ${words}`,
        },
      },
    ]);
  });

  it.each([
    ["one at work", anAgent({ state: "ACTIVE" }), comment],
    ["one that waits for its blocker", anAgent({ state: "SLEEPING", sleepReason: "blocked" }), comment],
    [
      "an escalated one whose status is not shown",
      anAgent({ state: "ESCALATED" }),
      { kind: "status_comment" },
    ],
    ["nobody", null, comment],
  ] as const)("ends not %s", (_, agent, effect) => {
    expect(onWithheld(effect, agent, at).moves).toEqual([]);
  });
});

const ISSUE = { name: "n", title: "Do it first", body: "b", labels: [] };

it.each<[Effect, string]>([
  [{ kind: "open_pr", title: "Build it", body: "As asked." }, "would open a pull request: Build it"],
  [{ kind: "commit", message: "Build it" }, "would push a commit: Build it"],
  [comment, "would comment: Which one?"],
  [question, "would ask people its question"],
  [label, "would put the labels needs-human, escalation:decision"],
  [{ kind: "add_blocked_by", blocker: 4 }, "would note that #4 blocks this issue"],
  [{ kind: "create_blocker_issue", ...ISSUE }, "would open an issue: Do it first"],
  [
    { kind: "create_sub_issue", name: "n", title: "A part", body: "", role: null, after: [] },
    "would open an issue: A part",
  ],
  [{ kind: "open_incident", incident: 1, title: "It fails", body: "" }, "would open an issue: It fails"],
  [{ kind: "merge_pull", task: 1, pull: 9, head: "a", base: "b" }, "would merge #9"],
  [{ kind: "close_issue" }, "would close the issue"],
  [
    { kind: "create_backport", task: 1, base: "release-1", role: "feat-dev", by: "alice" },
    "would open an issue for a backport to release-1",
  ],
  [
    {
      kind: "propose_file",
      branch: "flotilla/configure",
      path: ".github/flotilla.yml",
      content: "",
      message: "",
      title: "",
      body: "",
    },
    "would propose .github/flotilla.yml by a pull request",
  ],
  [
    { kind: "propose_lesson", branch: "b", line: "Add a test.", message: "", title: "", body: "" },
    "would propose a lesson by a draft pull request: Add a test.",
  ],
  [
    { kind: "update_branch", task: 1, head: "a", base: "b" },
    "would merge the base branch into the branch of its pull request",
  ],
  [{ kind: "publish_verdict", verdict: 1 }, "would publish a review"],
  [{ kind: "publish_review" }, "would publish a review"],
  [{ kind: "rerun_check", commit: "a", check: "lint", run: "1", job: 1, agentId: 1 }, "would run lint again"],
  [{ kind: "task_label" }, "would show its state: a status comment, labels, reactions"],
])("%j %s", (effect, words) => {
  expect(wouldWords(effect)).toBe(words);
});

it("a long text is told by its beginning", () => {
  expect(wouldWords({ ...comment, body: "x".repeat(1000) }).length).toBeLessThan(330);
});
