import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { personAs } from "../../../src/domain/review/reviewer.ts";
import { pushersIn } from "../../../src/domain/tasks/on-push.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { effectsOf, movesOf, rulesOf, wakesOf, whyOf } from "../kernel/changes-as-text.ts";

const personOf = (login: string) => personAs(aPerson(login));
const COMMIT = "c".repeat(40);
const approved = aDomainEvent("reviewed", { verdict: "approved" });
const [alice, bob, carol] = [personOf("alice"), personOf("bob"), personOf("carol")];
const by = (inputs: unknown) => aDecision({ rule: "foreign_commit", inputs });
const waiting = {
  agents: [anAgent({ state: "SLEEPING", sleepReason: "review" })],
  task: aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT }),
};

describe("a person's approval", () => {
  it("of the commit under review approves it, and lets its coder sleep", () => {
    const changes = decide(approved, aView(waiting));
    expect(movesOf(changes)).toEqual(["task 41 APPROVE"]);
    expect(changes.moves[0]?.event).toMatchObject({
      ...alice,
      commit: COMMIT,
      reviewers: 1,
      leaseToken: null,
    });
    expect(wakesOf(changes)).toEqual([]);
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("of an older commit counts for nothing, and says so", () => {
    const changes = decide({ ...approved, reviewedCommit: "d".repeat(40) }, aView(waiting));
    expect(movesOf(changes)).toEqual([]);
    expect(whyOf(changes)).toContain("@alice approved ddddddd of #50, under review is ccccccc");
    expect(effectsOf(changes)).toEqual(["status_comment"]);
  });

  it("of no commit that GitHub knows counts for nothing", () => {
    expect(whyOf(decide({ ...approved, reviewedCommit: null }, aView(waiting)))).toContain("no commit");
  });

  it("of approved work wakes nobody, of an earlier commit neither", () => {
    const task = aTask({ state: "APPROVED", reviewCommit: COMMIT });
    const changes = decide(approved, aView({ ...waiting, task }));
    expect(rulesOf(changes)).toEqual(["nothing_to_do"]);
    expect(wakesOf(changes)).toEqual([]);
    const earlier = decide({ ...approved, reviewedCommit: "d".repeat(40) }, aView({ ...waiting, task }));
    expect(rulesOf(earlier)).toEqual(["nothing_to_do"]);
    expect(wakesOf(earlier)).toEqual([]);
    expect(wakesOf(decide(approved, aView({ ...waiting, task: null })))).toHaveLength(1);
  });

  it("does not count from somebody who pushed to it, nor from somebody who may not steer", () => {
    const changes = decide(approved, aView({ ...waiting, pushers: [approved.actor.id] }));
    expect(movesOf(changes)).toEqual([]);
    expect(rulesOf(changes)).toEqual(["own_work"]);
    expect(rulesOf(decide({ ...approved, permitted: false }, aView(waiting)))).toEqual(["not_permitted"]);
  });
});

describe("a request for changes that stands", () => {
  it("keeps others' approvals of that commit from counting, not its author's own", () => {
    const view = aView({ ...waiting, rejectedBy: [bob, carol] });
    const changes = decide(approved, view);
    expect(rulesOf(changes)).toEqual(["changes_requested"]);
    expect(whyOf(changes)).toContain("@bob and @carol requested changes of that commit");
    expect(movesOf(decide(approved, aView({ ...waiting, rejectedBy: [alice] })))).toEqual([
      "task 41 APPROVE",
    ]);
  });

  it("stands no more once it is dismissed, and what it held back is looked for", () => {
    const dismissed = aDomainEvent("review_dismissed");
    const changes = decide(dismissed, aView({ ...waiting, rejectedBy: [bob] }));
    expect(rulesOf(changes)).toEqual(["nothing_to_do"]);
    expect(effectsOf(changes)).toEqual(["look_at_issue", "status_comment"]);
  });
});

describe("a person's request for changes", () => {
  const asked = aDomainEvent("reviewed", { verdict: "changes_requested" });
  const task = aTask({ state: "APPROVED", reviewCommit: COMMIT });

  it("rejects the commit that somebody else approved, and wakes its coder", () => {
    const changes = decide(asked, aView({ ...waiting, task }));
    expect(movesOf(changes)).toEqual(["task 41 REJECT"]);
    expect(wakesOf(changes)).toHaveLength(1);
  });

  it("in the words of an earlier round rejects the work of this round", () => {
    const [before] = decide(asked, aView({ ...waiting, task })).wakes;
    const rejectionReason = before?.detail ?? "";
    expect(rejectionReason).not.toBe("");
    const again = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT, rejectionReason });
    const changes = decide(asked, aView({ ...waiting, task: again }));
    expect(movesOf(changes)).toEqual(["task 41 REJECT"]);
    expect(wakesOf(changes)).toHaveLength(1);
  });

  it.each(["READY_FOR_REVIEW", "APPROVED"] as const)(
    "of another commit than the one under review rejects nothing in %s, and is told",
    (state) => {
      const up = aTask({ state, reviewCommit: COMMIT });
      for (const reviewedCommit of ["d".repeat(40), null]) {
        const review = { ...asked, reviewedCommit, body: "No tests." };
        const changes = decide(review, aView({ ...waiting, task: up }));
        expect(movesOf(changes)).toEqual([]);
        expect(wakesOf(changes)).toEqual(["11 review"]);
        expect(changes.wakes[0]?.detail).toContain("No tests.");
        expect(changes.wakes[0]?.detail).toContain("under review is ccccccc");
        expect(whyOf(changes)).toContain("it rejects nothing, feat-dev-issue-42 reads it");
        const ended = decide(review, aView({ agents: [anAgent({ state: "COMPLETED" })], task: up }));
        expect(movesOf(ended)).toEqual([]);
        expect(rulesOf(ended)).toEqual(["other_commit"]);
        expect(ended.decisions[0]).toMatchObject({
          change: "look at the newest commit and ask for changes there",
        });
        expect(effectsOf(ended)).toEqual(["status_comment"]);
      }
    },
  );

  it.each(["CLAIMED", "REJECTED", "INTEGRATION_FAILED"] as const)(
    "of the last commit of work in %s wakes its coder, and rejects nothing that is not under review",
    (state) => {
      const at = aTask({ state, reviewCommit: COMMIT });
      const changes = decide(asked, aView({ ...waiting, task: at }));
      expect(movesOf(changes)).toEqual([]);
      expect(wakesOf(changes)).toEqual(["11 review"]);
    },
  );

  it("of the commit under review rejects it, or of one that its approval was carried over from", () => {
    expect(movesOf(decide(asked, aView(waiting)))).toEqual(["task 41 REJECT"]);
    const updated = aTask({ state: "APPROVED", reviewCommit: "d".repeat(40), carriedFrom: [COMMIT] });
    const changes = decide(asked, aView({ ...waiting, task: updated }));
    expect(movesOf(changes)).toEqual(["task 41 REJECT"]);
    expect(wakesOf(changes)).toEqual(["11 review"]);
  });

  it.each([
    ["CLAIMED", anAgent({ state: "ACTIVE" })],
    ["BLOCKED", anAgent({ state: "ESCALATED", category: "review_deadlock" })],
    ["REJECTED", anAgent({ state: "COMPLETED" })],
  ] as const)(
    "that comes a second time changes nothing in %s, by webhook or found in GitHub's list",
    (state, agent) => {
      const [move] = decide({ ...asked, source: "review:55" }, aView(waiting)).moves;
      const { reason, source: counted } =
        move?.event.type === "REJECT" ? move.event : { reason: null, source: null };
      const rejected = aTask({
        state,
        reviewCommit: COMMIT,
        rejectionReason: reason,
        rejectionSource: counted,
      });
      for (const source of ["rejection:55", "review:55"]) {
        const again = decide({ ...asked, source }, aView({ agents: [agent], task: rejected }));
        expect(movesOf(again)).toEqual([]);
        expect(wakesOf(again)).toEqual([]);
        expect(rulesOf(again)).toEqual(["nothing_to_do"]);
      }
      // Also where it has the very same words.
      const another = decide(
        { ...asked, source: "review:56" },
        aView({ agents: [anAgent()], task: rejected }),
      );
      expect(wakesOf(another)).toEqual(["11 review"]);
    },
  );

  it.each(["ABANDONED", "MERGED"] as const)(
    "of work that is %s starts no coder, and says how to",
    (state) => {
      const agents = [anAgent({ state: "COMPLETED" })];
      const changes = decide(asked, aView({ agents, task: aTask({ state }) }));
      expect(movesOf(changes)).toEqual([]);
      expect(changes.decisions).toMatchObject([
        { rule: "nothing_to_do", change: expect.stringContaining("`/flotilla start` on #42") },
      ]);
      expect(effectsOf(changes)).toEqual(["status_comment"]);
    },
  );

  it("of an older commit than the approved one, or by somebody who may not steer, rejects nothing", () => {
    expect(
      movesOf(decide({ ...asked, reviewedCommit: "d".repeat(40) }, aView({ ...waiting, task }))),
    ).toEqual([]);
    expect(movesOf(decide({ ...asked, permitted: false }, aView({ ...waiting, task })))).toEqual([]);
    expect(movesOf(decide(asked, aView({ ...waiting, task: null })))).toEqual([]);
  });
});

describe("a review of a pull request that has ended", () => {
  const task = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT });

  it.each(["merged", "closed"] as const)("of a %s one moves nothing and wakes nobody", (ended) => {
    for (const verdict of ["approved", "changes_requested", "commented"] as const) {
      const changes = decide(aDomainEvent("reviewed", { verdict, ended }), aView({ ...waiting, task }));
      expect(movesOf(changes)).toEqual([]);
      expect(wakesOf(changes)).toEqual([]);
      expect(rulesOf(changes)).toEqual(["pull_over"]);
      expect(effectsOf(changes)).toEqual(verdict === "changes_requested" ? ["post_comment"] : []);
    }
  });

  it("says how work continues beside a coder of a later attempt", () => {
    const later = anAgent({ id: 12, name: "feat-dev-issue-42.2", state: "CREATED", branch: "another" });
    const view = aView({
      agents: [anAgent({ state: "COMPLETED" }), later],
      task: aTask({ state: "UNCLAIMED", assigneeId: null }),
    });
    const changes = decide(aDomainEvent("reviewed", { verdict: "changes_requested", ended: "closed" }), view);
    expect(changes.decisions[0]?.change).toBe(
      "say it in a comment on #42 that mentions Flotilla: feat-dev-issue-42.2 reads it",
    );
  });
});

describe("a review that was taken back", () => {
  const dismissed = aDomainEvent("review_dismissed");
  const verdicts = [{ ...bob, commit: COMMIT, at: 1 }];

  it.each(["READY_FOR_REVIEW", "APPROVED"] as const)("voids its approval of work in %s", (state) => {
    const task = aTask({ state, reviewCommit: COMMIT, verdicts });
    const changes = decide(dismissed, aView({ ...waiting, task }));
    expect(movesOf(changes)).toEqual(["task 41 NEW_COMMIT"]);
    expect(changes.moves[0]?.event).toMatchObject({ commit: COMMIT, dismissed: bob });
  });

  it.each([
    ["no task is open", { task: null }],
    ["nothing is under review", { task: aTask({ reviewCommit: null }) }],
    ["somebody else approved", { task: aTask({ verdicts: [{ ...carol, commit: COMMIT, at: 1 }] }) }],
  ])("is noted where %s", (_, view) => {
    expect(rulesOf(decide(dismissed, aView({ ...waiting, ...view })))).toEqual(["nothing_to_do"]);
  });

  it("is none of ours on another branch", () => {
    expect(rulesOf(decide(dismissed, aView()))).toEqual(["not_ours"]);
  });
});

describe("somebody else's push to what is reviewed", () => {
  const foreign = aDomainEvent("pushed");
  const NEW = ["task 41 NEW_COMMIT"];

  it.each(["READY_FOR_REVIEW", "APPROVED"] as const)("puts the new commit under review in %s", (state) => {
    const task = aTask({ state, reviewCommit: COMMIT });
    expect(movesOf(decide(foreign, aView({ ...waiting, task })))).toEqual([...NEW, "agent 11 PAUSE"]);
    const ended = aView({ agents: [anAgent({ state: "COMPLETED" })], task });
    expect(movesOf(decide(foreign, ended))).toEqual(NEW);
    expect(whyOf(decide(foreign, ended))).toContain("verdicts on the previous commit no longer count");
    const asking = aView({ agents: [anAgent({ state: "ESCALATED" })], task });
    expect(movesOf(decide(foreign, asking))).toEqual(NEW);
  });

  it("is no news where it is the commit under review, or the branch is gone", () => {
    const task = aTask({ state: "APPROVED", reviewCommit: "d".repeat(40) });
    const view = aView({ agents: [anAgent({ state: "COMPLETED" })], task });
    expect(rulesOf(decide(foreign, view))).toEqual(["nobody_concerned"]);
    expect(rulesOf(decide({ ...foreign, tip: null }, view))).toEqual(["nobody_concerned"]);
  });

  it("is remembered by who pushed", () => {
    expect(pushersIn([by({ by: "bob", id: 5 }), by({}), by(null), by("bob")])).toEqual([5]);
  });
});

describe("a review of an earlier attempt's pull request", () => {
  const [first, second] = [
    anAgent({ state: "CANCELLED" }),
    anAgent({ id: 9, branch: "another", state: "SLEEPING" }),
  ];
  const task = aTask({ state: "READY_FOR_REVIEW", reviewCommit: COMMIT, assigneeId: 9 });
  const view = aView({ agents: [first, second], task, rejectedBy: [bob] });

  it.each([
    aDomainEvent("reviewed", { verdict: "changes_requested" }),
    approved,
    aDomainEvent("review_dismissed"),
  ])("changes nothing, and says so: $type $verdict", (event) => {
    const changes = decide(event, view);
    expect(movesOf(changes)).toEqual([]);
    expect(wakesOf(changes)).toEqual([]);
    expect(whyOf(changes)).toContain("#50 is of an earlier attempt");
  });
});
