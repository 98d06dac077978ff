import { describe, expect, it } from "vitest";
import { NO_CHOICE, roleOfAttempt, type StartChoice } from "../../../src/domain/agents/start-choice.ts";
import { revives } from "../../../src/domain/commands/steer.ts";
import { decide } from "../../../src/domain/decide.ts";
import type { ChangeSet } from "../../../src/domain/kernel/change-set.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { reopenWork } from "../../../src/domain/tasks/reopen-work.ts";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand, aDomainEvent } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aTask } from "../../factories/records.ts";
import { PROVIDER, rolesOf, someSettings } from "../../factories/some-settings.ts";
import { rulesOf, saidBy } from "../kernel/changes-as-text.ts";

const RUNTIME = { ...someSettings().runtime, models: ["gpt-5", "gpt-5-mini"], provider: PROVIDER };
const SETTINGS = someSettings({ runtime: RUNTIME });
const start = (rest: string, view = aView({ settings: SETTINGS })) => decide(aCommand("start", rest), view);
const birthsOf = ({ moves }: Pick<ChangeSet, "moves">) =>
  moves.flatMap(({ event }) => ("newAgent" in event ? [event.newAgent] : []));
const refusedAs = (changes: ChangeSet) => [changes.moves, rulesOf(changes)];
const CHOSEN: StartChoice = { model: "gpt-5", allowedTools: ["read", "comment"], temperature: 0.2 };

describe("model= at a start", () => {
  it("is the new attempt's", () => {
    expect(birthsOf(start("feat-dev model=gpt-5"))).toMatchObject([{ model: "gpt-5", allowedTools: null }]);
    expect(birthsOf(start("model=gpt-5 feat-dev tag=x turns=8"))).toMatchObject([
      { model: "gpt-5", tags: ["x"], extraTurns: -42 },
    ]);
    expect(birthsOf(start("feat-dev"))).toMatchObject([NO_CHOICE]);
  });

  it("may be the role's own, whatever the operator lists", () => {
    const settings = someSettings({ roles: rolesOf(aRole({ model: "o-own" })) });
    const begun = (model: string) => start(`feat-dev model=${model}`, aView({ settings }));
    expect(birthsOf(begun("o-own"))).toMatchObject([{ model: "o-own" }]);
    // That of roles that name none is not this role's.
    expect(refusedAs(begun(settings.runtime.model))).toEqual([[], ["choice_refused"]]);
    expect(birthsOf(start(`feat-dev model=${RUNTIME.model}`))).toMatchObject([{ model: RUNTIME.model }]);
  });

  it.each([
    "",
    "gpt-6",
    "GPT-5",
    "gpt-5,gpt-5-mini",
    "__proto__",
    "constructor",
    "gpt‑5",
    "𝓰𝓹𝓽-5",
    "x".repeat(5000),
  ])("%# starts nobody, and the answer names what is allowed and the next step", (model) => {
    const changes = start(`feat-dev model=${model}`);
    expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
    const said = saidBy(changes);
    expect(said).toContain("allowed: `gpt-4.1`, `gpt-5`, `gpt-5-mini`");
    expect(said).toContain("ask the operator to add one to `runtime.models`");
    expect(said.length).toBeLessThan(500);
  });

  it("shows no markup of what was written", () => {
    expect(saidBy(start("feat-dev model=`@alice<b>`"))).toContain("`model='@alice<b>'` is no model");
  });
});

describe("tools= at a start", () => {
  it("is what the new attempt has of its role", () => {
    expect(birthsOf(start("feat-dev tools=read,comment"))).toMatchObject([
      { model: null, allowedTools: ["read", "comment"] },
    ]);
    expect(birthsOf(start("feat-dev tools=read,edit,read"))).toMatchObject([
      { allowedTools: ["read", "edit"] },
    ]);
  });

  it.each([
    ["", "an empty tool"],
    [",", "an empty tool"],
    ["read,", "an empty tool"],
    ["label", "`label`"],
    ["read,create_sub_issue", "`create_sub_issue`"],
    ["READ", "`READ`"],
    ["read;edit", "`read;edit`"],
    ["bash", "`bash`"],
    ["__proto__", "`__proto__`"],
    ["length", "`length`"],
    ["ｒｅａｄ", "`ｒｅａｄ`"],
    ["x".repeat(5000), "`xxx"],
    ["read,".repeat(2000), "an empty tool"],
  ])("%# starts nobody, and the answer lists the role's tools", (tools, named) => {
    const changes = start(`feat-dev tools=${tools}`);
    expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
    const said = saidBy(changes);
    expect(said).toContain(`names ${named}`);
    expect(said).toContain("it has `read`, `edit`, `shell`, `submit_plan`,");
    expect(said).toContain("with commas and without spaces");
    expect(said.length).toBeLessThan(1000);
  });

  it.each([
    ["feat-dev tools=read, edit", "tools=read, edit", "tools=read,edit"],
    ["tools=read , edit,comment feat-dev", "tools=read , edit,comment", "tools=read,edit,comment"],
    ["tools=read, edit", "tools=read, edit", "tools=read,edit"],
  ])("with spaces is refused for the spaces: %s", (typed, written, right) => {
    const changes = start(typed);
    expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
    expect(saidBy(changes)).toBe(
      `\`/flotilla start\` changes nothing: there is a space in \`${written}\`.\n\nInstead: write it without: \`${right}\`.`,
    );
  });

  it("with another mistake is refused for that", () => {
    expect(saidBy(start("feat-dev tools=read,edit other"))).toContain("a start takes one role");
    expect(saidBy(start("feat-dev tools=read, model=gpt-5"))).toContain("names an empty tool");
  });

  it("in capitals as a key, or at `set`, sets nothing", () => {
    expect(refusedAs(start("feat-dev TOOLS=read"))).toEqual([[], ["marks_refused"]]);
    const view = aView({ agents: [anAgent({ createdAt: AT })] });
    expect(rulesOf(decide(aCommand("set", "tools=read model=gpt-5"), view))).toEqual(["marks_refused"]);
  });
});

it.each([
  "model=gpt-5 model=gpt-5",
  "tools=read tools=edit",
  "temperature=0 temperature=1",
  "turns=5 turns=6",
])("%s starts nobody: nothing that was chosen is dropped", (typed) => {
  const reaction = start(`feat-dev ${typed}`);
  expect(refusedAs(reaction)).toEqual([[], ["marks_refused"]]);
  expect(saidBy(reaction)).toContain(`\`${typed.split("=")[0]}=\` is written more than once`);
});

it.each(["Model=gpt-5", "temprature=0.2"])(
  "%s starts nobody, and the answer names what a start takes",
  (typed) => {
    expect(saidBy(start(`feat-dev ${typed}`))).toContain(
      "`turns=80`, `model=name`, `tools=read,edit`, `temperature=0.2`",
    );
  },
);

describe("temperature= at a start", () => {
  it.each([
    ["0", 0],
    ["0.2", 0.2],
    ["1", 1],
    ["0.75", 0.75],
    ["1.0", 1],
  ])("%s is the new attempt's", (typed, temperature) => {
    expect(birthsOf(start(`feat-dev temperature=${typed} tag=x`))).toMatchObject([
      { model: null, allowedTools: null, temperature, tags: ["x"] },
    ]);
  });

  it.each([
    "",
    "-0",
    "-1",
    "+1",
    "3",
    "1.1",
    "2",
    "1e999",
    "1e0",
    "0x1",
    "NaN",
    "Infinity",
    "0,5",
    ".5",
    "1.",
    "00.5",
    "٠.٥",
    "０.５",
    "½",
    "hot",
    "__proto__",
    "1".repeat(5000),
  ])("%# starts nobody, and the answer says how to write it", (typed) => {
    const changes = start(`feat-dev temperature=${typed}`);
    expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
    const said = saidBy(changes);
    expect(said).toContain("is no number from 0 to 1");
    expect(said).toContain("such as `temperature=0.2`");
    expect(said.length).toBeLessThan(500);
  });

  it("starts nobody without a provider, whose requests alone pass the host", () => {
    const settings = someSettings({ runtime: { ...RUNTIME, provider: undefined } });
    const changes = start("feat-dev temperature=0.2", aView({ settings }));
    expect(refusedAs(changes)).toEqual([[], ["choice_refused"]]);
    expect(saidBy(changes)).toContain("`temperature=` needs a model provider of the operator's own");
    expect(saidBy(changes)).toContain("ask the operator to configure `runtime.provider`");
    expect(birthsOf(start("feat-dev", aView({ settings })))).toMatchObject([NO_CHOICE]);
  });
});

it("nothing is chosen for a reviewer, which starts later", () => {
  const view = aView({ settings: someSettings({ runtime: RUNTIME, roles: rolesOf(aRole(), REVIEWER) }) });
  for (const given of ["model=gpt-5", "tools=read", "temperature=1"])
    expect(refusedAs(start(`reviewer ${given}`, view))).toEqual([[], ["marks_refused"]]);
});

it("a coder that waits for its draft keeps what it was made with", () => {
  const agents = [anAgent({ state: "CREATED", createdAt: AT })];
  const view = aView({ settings: SETTINGS, agents, task: aTask({ state: "DRAFT" }) });
  const changes = start("model=gpt-5 tools=read", view);
  expect(refusedAs(changes)).toEqual([[], ["marks_refused"]]);
  expect(saidBy(changes)).toContain("feat-dev-issue-42 was made with its model and tools");
  expect(saidBy(changes)).toContain("without `model` and `tools`, or say `/flotilla cancel` first");
  const cancelled = aView({ ...view, agents: [anAgent({ state: "CANCELLED" })] });
  expect(birthsOf(start("feat-dev model=gpt-5", cancelled))).toMatchObject([{ attempt: 2, model: "gpt-5" }]);
});

describe("the choice of the attempt before", () => {
  const failed = anAgent({ state: "FAILED", ...CHOSEN });
  const escalated = anAgent({ state: "ESCALATED", ...CHOSEN });
  const view = aView({ settings: SETTINGS, agents: [failed] });

  it("is kept by a new attempt, so that nothing widens it but a new start", () => {
    expect(birthsOf(decide(aCommand("retry"), view))).toMatchObject([{ attempt: 2, ...CHOSEN }]);
    const { issue } = aCommand("start");
    const why = "";
    const revived = revives(failed, view, { at: AT, actor: "flotilla", issue, personPull: null, why });
    expect(birthsOf(revived ?? { moves: [] })).toMatchObject([CHOSEN]);
    expect(birthsOf(decide(aDomainEvent("issue_reopened"), view))).toMatchObject([CHOSEN]);
    const by = { role: aRole(), at: AT, actor: "flotilla", why };
    expect(birthsOf({ moves: [reopenWork(view, failed, by)] })).toMatchObject([CHOSEN]);
  });

  it("is not that of a new start", () => {
    expect(birthsOf(start("feat-dev", view))).toMatchObject([{ attempt: 2, ...NO_CHOICE }]);
    const blocked = aView({ settings: SETTINGS, agents: [escalated], task: aTask({ state: "BLOCKED" }) });
    expect(birthsOf(start("feat-dev", blocked))).toMatchObject([NO_CHOICE]);
    expect(birthsOf(start("feat-dev tools=edit", blocked))).toMatchObject([
      { model: null, allowedTools: ["edit"] },
    ]);
    expect(birthsOf(decide(aCommand("retry"), blocked))).toMatchObject([CHOSEN]);
  });

  it("is kept when a person retries blocked work whose coder had completed", () => {
    const done = anAgent({ state: "COMPLETED", ...CHOSEN });
    const task = aTask({ state: "BLOCKED", assigneeId: done.id });
    expect(
      birthsOf(decide(aCommand("retry"), aView({ settings: SETTINGS, agents: [done], task }))),
    ).toMatchObject([CHOSEN]);
  });
});

describe("the role of an attempt", () => {
  const role = aRole({ model: "o-own", tools: [...aRole().tools, "create_blocker_issue"] });
  const AS_ROLE = { ...NO_CHOICE, runtime: "copilot" };
  const of = (choice: Partial<StartChoice>, runtime: Settings["runtime"] = RUNTIME) =>
    roleOfAttempt(role, { ...AS_ROLE, ...choice }, { ...SETTINGS, runtime });

  it("is its role where nothing was chosen", () => {
    expect(of({})).toBe(role);
  });

  it("has the chosen model as long as the operator allows it", () => {
    expect(of({ model: "gpt-5" })).toEqual({ ...role, model: "gpt-5" });
    expect(of({ model: "gpt-5" }, { ...RUNTIME, models: [] })).toBe(role);
    expect(of({ model: "o-own" }, { ...RUNTIME, models: [] }).model).toBe("o-own");
  });

  it("has the chosen temperature in place of its own, as long as there is a provider", () => {
    expect(of({ temperature: 0 })).toEqual({ ...role, temperature: 0 });
    expect(of({ model: "gpt-5", temperature: 0.2 })).toEqual({ ...role, model: "gpt-5", temperature: 0.2 });
    expect(of({ temperature: 0.2 }, { ...RUNTIME, provider: undefined })).toBe(role);
    const warm = aRole({ temperature: 1.5 });
    expect(roleOfAttempt(warm, { ...AS_ROLE, temperature: 0 }, SETTINGS).temperature).toBe(0);
    expect(roleOfAttempt(warm, AS_ROLE, SETTINGS).temperature).toBe(1.5);
  });

  it("has only the chosen tools, and those by which its work is planned, delivered and ended", () => {
    const { capabilities, tools, prompt, ...rest } = of({ allowedTools: ["read", "comment"] });
    expect(capabilities).toEqual(["read"]);
    expect(tools).toEqual([
      "submit_plan",
      "report_blocked",
      "report_complete",
      "request_review",
      "escalate_to_human",
      "ask_human",
      "commit",
      "open_pr",
      "comment",
    ]);
    expect(prompt).toContain("You build features.\n\n# Tools that you do not have");
    expect(prompt).toContain("without `edit`, `shell`, `restore_files`, `read_issue`,");
    expect(rest).toMatchObject({ name: "feat-dev", model: "o-own", evidence: "code" });
  });

  it("never has more than its role: what the role loses later the attempt loses, what it gains stays out", () => {
    const wide = roleOfAttempt(
      aRole({ capabilities: ["read"], tools: ["report_complete", "label"] }),
      {
        runtime: "copilot",
        model: null,
        allowedTools: ["read", "edit", "comment", "__proto__"],
        temperature: null,
      },
      SETTINGS,
    );
    expect([wide.capabilities, wide.tools]).toEqual([["read"], ["report_complete"]]);
  });

  it("with all of its tools chosen has its own prompt", () => {
    const all = of({ allowedTools: [...role.capabilities, ...role.tools] });
    expect(all).toEqual(role);
  });
});

const below = (command: ReturnType<typeof aCommand>) => ({
  ...command,
  command: { verb: "start" as const, rest: "feat-dev tag=x", below: "Use `dates`." },
});

it("lines below a start reach an agent that replaces one in blocked work, and one that waits for its draft", () => {
  const escalated = anAgent({ state: "ESCALATED", reason: "stuck" });
  const blocked = aView({ agents: [escalated], task: aTask({ state: "BLOCKED" }) });
  expect(decide(below(aCommand("start")), blocked).moves.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: "REVIVE", words: expect.stringContaining("Use `dates`.") }),
  );
  const view = aView({ settings: someSettings({ roles: rolesOf(aRole({}), REVIEWER) }) });
  const reviewer = { verb: "start" as const, rest: "reviewer", below: "Use `dates`." };
  expect(saidBy(decide({ ...aCommand("start"), command: reviewer }, view))).toContain(
    "reviewer reads no words before it works",
  );
  const draft = aView({ agents: [anAgent({ state: "CREATED" })], task: aTask({ state: "DRAFT" }) });
  expect(decide(below(aCommand("start")), draft).wakes).toMatchObject([
    { reason: "message", detail: expect.stringContaining("Use `dates`.") },
  ]);
});
