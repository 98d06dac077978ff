import { expect, it } from "vitest";
import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import {
  type Hold,
  holdEnds,
  holdsOf,
  holdsOnWork,
  holdText,
  isResumable,
  scopeHold,
} from "../../../src/domain/breakers/hold.ts";
import { sprintHold } from "../../../src/domain/planning/sprint-hold.ts";
import { anAgent } from "../../factories/records.ts";

const SPRINT = sprintHold({ title: "First release", reason: "@alice asked for a checkpoint" }, 9);
const PAUSE = scopeHold({ scope: "all", holder: "person", by: "alice", reason: null });

it("names the sprint with its reason and the tracking issue where it continues", () => {
  expect(SPRINT).toEqual({
    by: "sprint",
    what: 'its sprint "First release" is at CHECKPOINT: @alice asked for a checkpoint',
    ends: "`/flotilla continue` on #9 (the goal's tracking issue) lets it continue",
  });
  expect(sprintHold({ title: "x", reason: null }, null)).toMatchObject({
    what: 'its sprint "x" is at CHECKPOINT',
    ends: "`/flotilla continue` on any issue of the sprint lets it continue",
  });
});

it.each([
  ["person", "pause", "`flotilla resume --all` lifts it"],
  ["incident", "incident", "the pause ends when the incident is over"],
  ["archived", "archived", "it continues when the repository is unarchived"],
] as const)("of a scope paused by %s is by %s", (holder, by, ends) => {
  expect(scopeHold({ scope: "all", holder, by: "alice", reason: null })).toMatchObject({ by, ends });
});

it("holds those that are not at work and have not ended", () => {
  const held = AGENT_STATES.filter((state) => holdsOf(anAgent({ state }), [PAUSE]).length > 0);
  expect(held).toEqual(["CREATED", "SLEEPING", "ESCALATED"]);
});

it("of an agent are its own, with the reason that its pause left, and those around it, none twice", () => {
  const paused = anAgent({ state: "SLEEPING", heldBy: ["person"], reason: "paused by @bob" });
  expect(holdsOf(paused, [PAUSE]).map(({ what }) => what)).toEqual([
    "paused by @bob",
    "everything is paused by alice",
  ]);
  const several = anAgent({ state: "SLEEPING", heldBy: ["commit", "sprint"], reason: "a push" });
  expect(holdsOf(several, [SPRINT])).toEqual([
    expect.objectContaining({ by: "commit", what: "somebody else pushed to its branch" }),
    SPRINT,
  ]);
  const escalated = anAgent({ state: "ESCALATED", heldBy: ["lock"], reason: "it has a question" });
  expect(holdText(holdsOf(escalated, []))).toBe("its issue is locked");
});

it("ends by each way once", () => {
  const both = holdsOf(anAgent({ state: "SLEEPING", heldBy: ["person", "commit"], reason: null }), []);
  expect(holdText(both)).toBe("a person paused it; somebody else pushed to its branch");
  expect(holdEnds(both)).toBe("`/flotilla resume` on the issue lets it continue");
  expect([...both, SPRINT, PAUSE].map(isResumable)).toEqual([true, true, false, false]);
});

const held = (...heldBy: ("person" | "commit" | "lock")[]) =>
  anAgent({ state: "SLEEPING", heldBy, reason: null });

it("keep work from a merge, each once: of all its agents and around them, but not what only agents must not run on", () => {
  const disk: Hold = { by: "disk", what: "the disk is full", ends: "it goes on" };
  const holds = holdsOnWork(
    [held("lock"), held("person", "commit"), held("lock")],
    [PAUSE, disk, { ...disk, by: "confinement" }],
  );
  expect(holds.map(({ by }) => by)).toEqual(["lock", "pause", "person"]);
  expect(holdsOnWork([], [PAUSE])).toEqual([PAUSE]);
  expect(holdsOnWork([anAgent({ state: "COMPLETED" })], [disk])).toEqual([]);
});
