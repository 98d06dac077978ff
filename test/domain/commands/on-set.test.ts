import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { rulesOf, saidBy } from "../kernel/changes-as-text.ts";

const set = (rest: string, view = aView({ agents: [anAgent({ createdAt: AT })] })) =>
  decide(aCommand("set", rest), view);
const start = (rest: string, view = aView()) => decide(aCommand("start", rest), view);
const none = { labels: [], tags: [], unlabel: [], untag: [] };
const birthsOf = (changes: ReturnType<typeof start>) =>
  changes.moves.flatMap(({ event }) => ("newAgent" in event ? [event.newAgent] : []));

const tagsOf = (changes: ReturnType<typeof start>) =>
  changes.moves.flatMap(({ event }) => (event.type === "REVIVE" ? [event.newAgent.tags] : []));

describe("the command set", () => {
  it("sets it on every live agent of the issue, and says so", () => {
    const agents = [
      anAgent({ id: 11 }),
      anAgent({ id: 12, role: "triage" }),
      anAgent({ id: 13, state: "FAILED" }),
    ];
    const changes = set("ttl=8h tag=urgent", aView({ agents }));
    const change = { ...none, ttlMs: 8 * HOUR, tags: ["urgent"] };
    expect(changes.attributes).toEqual([
      { agentId: 11, change },
      { agentId: 12, change },
    ]);
    expect(rulesOf(changes)).toEqual(["marks_set", "marks_set"]);
    expect(changes.decisions[0]?.reason).toBe("@alice sets `ttl=8h tag=urgent` on feat-dev-issue-42");
    expect(changes.effects.find(({ kind }) => kind === "react")).toMatchObject({ reaction: "+1" });
  });

  it.each([
    ["", "it says nothing to set"],
    ["tag=a b", "`b` sets nothing"],
    ["ttl=forever", "a ttl is one number with its unit"],
  ])("with %j sets nothing and says how it is written", (rest, why) => {
    const changes = set(rest);
    expect(changes.attributes).toEqual([]);
    expect(rulesOf(changes)).toEqual(["marks_refused"]);
    expect(saidBy(changes)).toContain(`\`/flotilla set\` changes nothing: ${why}`);
    expect(saidBy(changes)).toContain("`label=key=value`");
  });

  it("sets it on none where one of them cannot have it", () => {
    const full = anAgent({ id: 12, createdAt: AT, tags: Array.from({ length: 20 }, (_, at) => `t${at}`) });
    const agents = [anAgent({ id: 11, createdAt: AT }), full];
    const changes = set("tag=more", aView({ agents }));
    expect(changes.attributes).toEqual([]);
    expect(saidBy(changes)).toContain("an agent has at most 20 labels and 20 tags");
  });

  it("ends no agent by a time to live that is over", () => {
    const old = anAgent({ createdAt: AT - 3 * HOUR, ttlMs: HOUR });
    const changes = set("ttl=2h", aView({ agents: [old] }));
    expect(changes.attributes).toEqual([]);
    expect(saidBy(changes)).toContain("the agent is 3 h old, so ttl=2h has already expired");
    // What it has is the watchdog's.
    expect(set("tag=x", aView({ agents: [old] })).attributes).toHaveLength(1);
  });

  it("without a live agent says which there is", () => {
    expect(saidBy(set("tag=x", aView()))).toContain("no agent works on this issue");
    expect(saidBy(set("tag=x", aView({ agents: [anAgent({ state: "FAILED" })] })))).toContain("is FAILED");
  });
});

describe("what stands behind start", () => {
  it("is set on the new agent, beside what its role says", () => {
    const attributes = { ttlMs: HOUR, labels: ["team=core", "area=api"], tags: ["nightly"] };
    const view = aView({ settings: someSettings({ roles: rolesOf(aRole({ attributes })) }) });
    expect(birthsOf(start("feat-dev", view))).toMatchObject([attributes]);
    expect(birthsOf(start("feat-dev ttl=8h tag=urgent label=team=web", view))).toMatchObject([
      { ttlMs: 8 * HOUR, labels: ["team=web", "area=api"], tags: ["nightly", "urgent"] },
    ]);
  });

  it("needs no role where the issue's label names one, and takes the one that is named, wherever it stands", () => {
    const issue = { ...aCommand("start").issue, labels: ["feature"] };
    const said = (rest: string) => birthsOf(decide({ ...aCommand("start", rest), issue }, aView()));
    expect(said("tag=urgent")).toMatchObject([{ role: "feat-dev", tags: ["urgent"] }]);
    expect(said("tag=urgent bug-fix")).toMatchObject([{ role: "bug-fix", tags: ["urgent"] }]);
    expect(said("tag=urgent bug-fix ttl=8h")).toMatchObject([{ role: "bug-fix", ttlMs: 8 * HOUR }]);
  });

  it.each(["feat-dev bug-fix", "feat-dev tag=x bug-fix", "feat-dev please"])(
    "%j starts nobody: a start takes one role",
    (rest) => {
      const changes = start(rest);
      expect(changes.moves).toEqual([]);
      expect(rulesOf(changes)).toEqual(["unknown_role"]);
      expect(saidBy(changes)).toContain("a start takes one role; these are more: `feat-dev ");
    },
  );

  it.each(["feat-dev ttl 8h", "feat-dev tag=", "feat-dev tg=x"])(
    "starts nobody where %j cannot be read",
    (rest) => {
      const changes = start(rest);
      expect(changes.moves).toEqual([]);
      expect(rulesOf(changes)).toEqual(["marks_refused"]);
    },
  );

  it("starts nobody with too many", () => {
    const role = aRole({
      attributes: { ttlMs: null, labels: [], tags: Array.from({ length: 20 }, (_, at) => `t${at}`) },
    });
    const view = aView({ settings: someSettings({ roles: rolesOf(role) }) });
    expect(saidBy(start("feat-dev tag=more", view))).toContain("at most 20 labels and 20 tags");
  });

  it("may be a limit of turns of its own, for a new attempt too, which the next one does not have", () => {
    const settings = someSettings({ limits: { ...someSettings().limits, turnCeiling: 200 } });
    expect(birthsOf(start("feat-dev turns=80", aView({ settings })))).toMatchObject([{ extraTurns: 30 }]);
    expect(birthsOf(start("feat-dev turns=8 tag=x", aView({ settings })))).toMatchObject([
      { extraTurns: -42, tags: ["x"] },
    ]);
    const agents = [anAgent({ state: "ESCALATED", extraTurns: 7 })];
    const blocked = aView({ settings, agents, task: aTask({ state: "BLOCKED" }) });
    expect(birthsOf(start("feat-dev turns=200", blocked))).toMatchObject([{ attempt: 2, extraTurns: 150 }]);
    expect(birthsOf(start("feat-dev", blocked))[0]).not.toHaveProperty("extraTurns");
  });

  it.each([
    ["turns=", "number_unreadable"],
    ["turns=0", "number_unreadable"],
    ["turns=many", "number_unreadable"],
    ["turns=201", "turn_ceiling"],
  ])("starts nobody with %j", (typed, rule) => {
    const settings = someSettings({ limits: { ...someSettings().limits, turnCeiling: 200 } });
    const changes = start(`feat-dev ${typed}`, aView({ settings }));
    expect(changes.moves).toEqual([]);
    expect(rulesOf(changes)).toEqual([rule]);
  });

  it("is not taken for a reviewer, which starts later", () => {
    const view = aView({ settings: someSettings({ roles: rolesOf(aRole(), REVIEWER) }) });
    for (const given of ["tag=x", "turns=9"])
      expect(saidBy(start(`reviewer ${given}`, view))).toContain(
        "nothing is set on reviewer before it works",
      );
  });

  it("is set on the coder that waits for its draft, which begins only with it", () => {
    const agents = [anAgent({ state: "CREATED", createdAt: AT })];
    const view = aView({ agents, task: aTask({ state: "DRAFT" }) });
    const counted = start("turns=9", view);
    expect([counted.moves, rulesOf(counted)]).toEqual([[], ["marks_refused"]]);
    const begun = start("tag=urgent", view);
    expect([begun.attributes, begun.moves.map(({ event }) => event.type)]).toEqual([
      [{ agentId: 11, change: { ...none, tags: ["urgent"] } }],
      ["FINALIZE"],
    ]);
    expect(start("", view).attributes).toEqual([]);
    const late = aView({ ...view, agents: [anAgent({ state: "CREATED", createdAt: AT - 2 * HOUR })] });
    expect(start("ttl=1h", late).moves).toEqual([]);
  });
});

it("what stands behind start on blocked work is set on the attempt that takes its place", () => {
  const waiting = anAgent({ state: "ESCALATED", tags: ["urgent"] });
  const begun = (rest: string, agent = waiting) =>
    start(rest, aView({ agents: [agent], task: aTask({ state: "BLOCKED", assigneeId: agent.id }) }));
  expect(tagsOf(begun("feat-dev tag=now"))).toEqual([["urgent", "now"]]);
  const full = anAgent({ state: "ESCALATED", tags: Array.from({ length: 20 }, (_, at) => `t${at}`) });
  expect(rulesOf(begun("feat-dev tag=now", full))).toEqual(["marks_refused"]);
});

it("a new attempt keeps what was set on the one before it", () => {
  const attributes = { ttlMs: HOUR, labels: ["team=core"], tags: ["urgent"] };
  const view = aView({ agents: [anAgent({ state: "FAILED", ...attributes })] });
  const [again] = decide(aCommand("retry"), view).moves.flatMap(({ event }) =>
    event.type === "REVIVE" ? [event.newAgent] : [],
  );
  expect(again).toMatchObject(attributes);
});
