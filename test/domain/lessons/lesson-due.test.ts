import { describe, expect, it } from "vitest";
import { startRole } from "../../../src/domain/agents/start-role.ts";
import { decide } from "../../../src/domain/decide.ts";
import { endingOf, lessonDue, mayEndWork, retrospectives } from "../../../src/domain/lessons/lesson-due.ts";
import type { TaskEvent } from "../../../src/domain/tasks/task-event.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const looks = (name: string, ...events: readonly string[]) =>
  aRole({
    name,
    lifecycle: "ephemeral",
    evidence: "none",
    triggers: events.map((event) => ({ event })),
  });
const retrospective = looks("retrospective", "task.merged", "task.rejected");
const roles = rolesOf(aRole(), retrospective, looks("cheers", "task.merged"));
const view = aView({ settings: someSettings({ roles }) });
const due = { at: AT, ending: "task.merged", asked: null, obstacle: null } as const;
const COMMIT = "c".repeat(40);
const looker = (state: "ACTIVE" | "COMPLETED") =>
  anAgent({ id: 31, role: "retrospective", coder: false, ephemeral: true, branch: null, state });

describe("the end of work", () => {
  const base = { at: AT, actor: "alice" };
  const release: TaskEvent = { ...base, type: "RELEASE", failed: null };
  const merged: TaskEvent = { ...base, type: "OBSERVED_MERGED", commit: COMMIT };
  const abandoned = { state: "ABANDONED", reviewCommit: COMMIT } as const;

  it.each<[string, Parameters<typeof aTask>[0], TaskEvent, boolean]>([
    ["a merge", { state: "MERGED" }, merged, true],
    ["a release after a review", { state: "UNCLAIMED", reviewCommit: COMMIT }, release, true],
    ["a release before any", { state: "UNCLAIMED", reviewCommit: null }, release, false],
    ["a failure", { state: "UNCLAIMED", reviewCommit: COMMIT }, { ...release, failed: 4 }, false],
    ["a closed issue", abandoned, { ...base, type: "OBSERVED_CLOSED" }, true],
    [
      "a deleted issue",
      { ...abandoned, abandonedReason: "the issue was deleted" },
      { ...base, type: "OBSERVED_CLOSED" },
      false,
    ],
    ["nothing new", { state: "CLAIMED", reviewCommit: COMMIT }, release, false],
    ["work under review", { state: "READY_FOR_REVIEW", reviewCommit: COMMIT }, release, false],
  ])("may be %s", (_, after, event, ends) => {
    expect(mayEndWork(aTask({ state: "CLAIMED" }), aTask(after), event)).toBe(ends);
  });

  it("is not a new task", () => {
    expect(mayEndWork(undefined, aTask({ state: "MERGED" }), merged)).toBe(false);
  });

  it("is read from the newest work, unless somebody works on it again", () => {
    const ended = aTask({ state: "UNCLAIMED", reviewCommit: COMMIT });
    const past = [anAgent({ state: "CANCELLED" })];
    expect(endingOf({ newestTask: null, agents: [] })).toBeNull();
    expect(endingOf({ newestTask: aTask({ state: "MERGED" }), agents: [anAgent()] })).toBe("task.merged");
    expect(endingOf({ newestTask: ended, agents: [...past, looker("ACTIVE")] })).toBe("task.rejected");
    expect(endingOf({ newestTask: ended, agents: [...past, anAgent()] })).toBeNull();
    expect(
      endingOf({ newestTask: aTask({ state: "UNCLAIMED", reviewCommit: null }), agents: past }),
    ).toBeNull();
    expect(
      endingOf({ newestTask: aTask({ state: "CLAIMED", reviewCommit: COMMIT }), agents: past }),
    ).toBeNull();
  });
});

describe("a retrospective", () => {
  it("starts for the ends that its triggers name", () => {
    expect(retrospectives(roles).map(({ name }) => name)).toEqual(["retrospective", "cheers"]);
    expect(movesOf(lessonDue(due, view))).toEqual(["agent new CREATE", "agent new CREATE"]);
    const rejected = lessonDue({ ...due, ending: "task.rejected" }, view);
    expect(rejected.moves).toMatchObject([
      { event: { newAgent: { role: "retrospective", ephemeral: true, coder: false, branch: null } } },
    ]);
  });

  it("starts alone where a person asks for it", () => {
    const asked = lessonDue({ ...due, asked: "cheers" }, view);
    expect(asked.moves).toMatchObject([{ event: { newAgent: { role: "cheers" } } }]);
    const start = startRole(retrospective, view, {
      at: AT,
      actor: "alice",
      issue: anIssue({ state: "closed" }),
      personPull: null,
    });
    expect(effectsOf(start)).toEqual(["offer_lesson"]);
  });

  it("starts where none of the role is at work", () => {
    const one = { ...due, asked: "retrospective" };
    expect(movesOf(lessonDue(one, { ...view, agents: [looker("ACTIVE")] }))).toEqual([]);
    expect(movesOf(lessonDue(one, { ...view, agents: [looker("COMPLETED")] }))).toEqual(["agent new CREATE"]);
  });

  it("does not start where something stands in the way, and says what", () => {
    const held = lessonDue(
      { ...due, obstacle: { reason: "#5 proposes a lesson already", change: "close #5" } },
      view,
    );
    expect([movesOf(held), rulesOf(held)]).toEqual([[], ["no_lesson"]]);
    expect([effectsOf(held), held.decisions[0]?.change]).toEqual([[], "close #5"]);
    const asked = lessonDue({ ...due, asked: "cheers", obstacle: { reason: "it is full" } }, view);
    expect(whyOf(asked)).toContain("it is full");
    expect(effectsOf(asked)).toEqual(["status_comment"]);
    const open = { ...view, private: false, settings: someSettings({ roles }) };
    expect(rulesOf(lessonDue(due, open))).toEqual(["public_unconfined"]);
  });

  it("does not start where nothing has ended", () => {
    expect(movesOf(lessonDue({ ...due, ending: null }, view))).toEqual([]);
    expect(rulesOf(lessonDue({ ...due, ending: null }, view))).toEqual([]);
    const asked = lessonDue({ ...due, ending: null, asked: "cheers" }, view);
    expect(whyOf(asked)).toContain("no work on #42 has ended after a review");
  });

  it("goes on when its issue is closed, and other agents end", () => {
    const agents = [anAgent(), looker("ACTIVE")];
    const mergedPull = { number: 5, commit: COMMIT };
    for (const fields of [{}, { mergedPull }]) {
      const changes = decide(aDomainEvent("issue_closed", fields), { ...view, agents });
      expect(changes.moves.map(({ id }) => id)).toEqual([anAgent().id]);
    }
  });
});
