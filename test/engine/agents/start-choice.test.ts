import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import type { SessionSpec } from "../../../src/domain/ports/agent-runtime.ts";
import { aRole } from "../../factories/a-role.ts";
import { MINUTE } from "../../factories/moment.ts";
import { PROVIDER, rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, answersTo, commentsOn, decisionsOn, sessionsOf, stateOf, taskOf, toldTo } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import {
  after,
  blocked,
  call,
  commit,
  complete,
  edit,
  escalate,
  on,
  openPr,
  slowly,
  work,
} from "../scripts.ts";

const price = (dollars: number) => ({ input: microUsd(dollars), cached: 0, output: microUsd(dollars) });
/** The models that a start may choose; the second one costs ten times as much as the role's. */
const priced = (models: readonly string[] = ["gpt-5"]) => ({
  runtime: {
    ...someSettings().runtime,
    models,
    provider: PROVIDER,
    prices: new Map([
      ["gpt-4.1", price(1)],
      ["gpt-5", price(10)],
    ]),
  },
});
const TOKENS = 110;
const START = "/flotilla start feat-dev model=gpt-5 tools=read,edit,comment temperature=0.2";
const LEFT = ["read", "edit"];

const toolsOf = (spec: SessionSpec | undefined) => spec?.tools.map(({ name }) => name).toSorted();
/** What each session that was opened has of the choice. */
const opened = (rig: Rig) =>
  rig.runtime.opened.map(({ model, capabilities, temperature }) => ({ model, capabilities, temperature }));
const chosen = (times: number) =>
  Array.from({ length: times }, () => ({ model: "gpt-5", capabilities: LEFT, temperature: 0.2 }));

describe("the model that a start chooses", () => {
  it("thinks, is paid at its own price, and is named with the work", async () => {
    const rig = await aRig({ settings: priced(), script: [on(1, ...work), on(2, ...work)] });
    await tell(
      rig,
      said(rig, 1, "/flotilla start feat-dev model=gpt-5"),
      said(rig, 2, "/flotilla start feat-dev"),
    );
    expect(rig.runtime.opened.map(({ model }) => model)).toEqual(["gpt-5", "gpt-4.1"]);
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", costMicroUsd: 4 * TOKENS * 10 });
    expect(await agentOf(rig, "feat-dev-issue-2")).toMatchObject({ costMicroUsd: 4 * TOKENS });
    expect((await sessionsOf(rig)).map(({ model }) => model)).toEqual(["gpt-5"]);
    // The two work side by side; either may open its pull request first.
    const bodies = [...rig.repository.pulls.values()].map(({ body }) => body);
    const models = bodies.map((body) => [/#\d/.exec(body)?.[0], /model `(.*?)`/.exec(body)?.[1]]);
    expect(Object.fromEntries(models)).toEqual({ "#1": "gpt-5", "#2": "gpt-4.1" });
    for (const body of bodies) expect(body).toContain(", runtime `copilot 1.2.3`, model ");
  });

  it("counts at its price in the day's budget before it is called", async () => {
    const cheap = { repositoryPerDay: { maxCostUsd: 1, maxAgents: 50 } };
    const begin = async (start: string) => {
      const script = [on(1, slowly(MINUTE, edit()), ...work.slice(1)), on(2, ...work)];
      const rig = await aRig({ settings: { ...priced(), ...cheap }, script });
      await rig.engine.handle(said(rig, 1, start));
      await rig.engine.handle(labeled(rig, 2));
      for (let round = 0; round < 3; round += 1) await rig.engine.tick();
      return stateOf(rig, "feat-dev-issue-2");
    };
    // A call of the dear one might spend the rest of the day.
    expect(await begin("/flotilla start feat-dev")).toBe("ACTIVE");
    expect(await begin("/flotilla start feat-dev model=gpt-5")).toBe("CREATED");
  });

  it("gives way to the role's when the operator takes it off the list, with a handoff", async () => {
    const settings = priced();
    const rig = await aRig({
      settings,
      script: [on(1, blocked(2), after("with another model", edit()), ...work.slice(1))],
    });
    await tell(rig, said(rig, 1, "/flotilla start feat-dev model=gpt-5"));
    Object.assign(rig.context.settings.runtime, { models: [] });
    await tell(rig, closed(rig, 2));
    await rig.pass(GRACEFUL_PAUSE_MS);
    expect(rig.runtime.opened.map(({ model }) => model)).toEqual(["gpt-5", "gpt-4.1"]);
    expect(toldTo(rig)[0]).toContain("held with another model");
    expect(await stateOf(rig)).toBe("COMPLETED");
  });
});

describe("the tools that a start leaves", () => {
  it("are offered, with those that every attempt keeps; the others are neither offered nor carried out", async () => {
    const forbidden = [
      call("read_issue", { number: 2 }),
      call("bash", { command: "touch x" }),
      call("restore_files", { paths: ["a"] }),
    ];
    const rig = await aRig({
      settings: priced(),
      script: [on(1, ...forbidden, edit(), commit, openPr, complete)],
    });
    const read: string[] = [];
    rig.onCall = (name) => {
      if (name === "worktrees.restore") read.push(name);
    };
    await tell(rig, said(rig, 1, START));
    const [spec] = rig.runtime.opened;
    expect(spec?.capabilities).toEqual(LEFT);
    expect(toolsOf(spec)).toEqual([
      "ask_human",
      "comment",
      "commit",
      "escalate_to_human",
      "open_pr",
      "report_blocked",
      "report_complete",
      "request_review",
      "submit_plan",
      "write_handoff",
    ]);
    expect(spec?.systemPrompt).toContain(
      "Somebody started this work without `shell`, `restore_files`, `read_issue`",
    );
    expect(answersTo(rig).slice(0, 3)).toEqual(
      ["read_issue", "bash", "restore_files"].map(
        (name) => `tool_not_allowed: this agent of feat-dev has no tool ${name}.`,
      ),
    );
    expect(read).toEqual([]);
    const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
    expect(calls.slice(0, 3).map(({ tool, status }) => [tool, status])).toEqual([
      ["read_issue", "denied"],
      ["bash", "denied"],
      ["restore_files", "denied"],
    ]);
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("are the host's own record: the gate refuses a call whatever the runtime offers or asks", async () => {
    const rig = await aRig({ settings: priced(), script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
    await rig.engine.handle(said(rig, 1, START));
    await rig.until("it thinks", () => rig.runtime.requests.length === 1);
    const gate = rig.runtime.opened[0]?.gate;
    for (const toolName of ["bash", "read_issue", "BASH", "__proto__", "edit ", "shell"])
      expect(await gate?.({ toolName, args: {} })).toMatchObject({ allow: false, endExchange: false });
    for (const toolName of ["view", "edit", "comment"])
      expect(await gate?.({ toolName, args: {} })).toEqual({ allow: true });
  });

  it("are never more than its role's: what the role loses, the attempt loses at its next wake", async () => {
    const role = aRole();
    const settings = { ...priced(), roles: rolesOf(role) };
    const rig = await aRig({
      settings,
      script: [on(1, blocked(2), call("comment", { body: "Hm." }), ...work)],
    });
    await tell(rig, said(rig, 1, START));
    Object.assign(role, {
      tools: role.tools.filter((name) => name !== "comment"),
      capabilities: ["edit", "shell"],
    });
    await tell(rig, closed(rig, 2));
    expect(rig.runtime.opened.map(({ capabilities }) => capabilities)).toEqual([LEFT, ["edit"]]);
    expect(answersTo(rig)[1]).toContain("tool_not_allowed");
  });
});

describe("the temperature", () => {
  const UNSUPPORTED = "Unsupported value: 'temperature' does not support 0.2 with this model.";
  const warm = { ...priced(), roles: rolesOf(aRole({ temperature: 1.5 })) };
  const refusing = (settings: object) =>
    aRig({ settings, script: [on(1, { error: { status: 400, message: UNSUPPORTED } })] });

  it("of a start goes before that of its role, which each other attempt has", async () => {
    const rig = await aRig({ settings: warm, script: [on(1, ...work), on(2, ...work), on(3, ...work)] });
    await tell(
      rig,
      said(rig, 1, "/flotilla start feat-dev temperature=0"),
      said(rig, 2, "/flotilla start feat-dev"),
      labeled(rig, 3),
    );
    expect(rig.runtime.opened.map(({ temperature }) => temperature)).toEqual([0, 1.5, 1.5]);
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", temperature: 0 });
    expect(await agentOf(rig, "feat-dev-issue-2")).toMatchObject({ temperature: null });
  });

  it("that the provider refuses fails the agent, and the reason names the role's key", async () => {
    const rig = await refusing(warm);
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "FAILED" });
    expect(commentsOn(rig).join()).toContain(
      "Change `temperature` in the role file of feat-dev, or take it out.",
    );
  });

  it("that was chosen and is refused names the start's own, and a new start without it works", async () => {
    const rig = await refusing(priced());
    await tell(rig, said(rig, 1, "/flotilla start feat-dev temperature=0.2"));
    expect(await agentOf(rig)).toMatchObject({ state: "FAILED" });
    expect(commentsOn(rig).join()).toContain("Say `/flotilla start feat-dev` with another `temperature=`");
    await tell(rig, said(rig, 1, "/flotilla start feat-dev"));
    expect(rig.runtime.opened.map(({ temperature }) => temperature)).toEqual([0.2, undefined]);
  });
});

describe("what a start chooses", () => {
  it("survives sleep, wake and the end of the process", async () => {
    const rig = await aRig({
      settings: priced(),
      script: [on(1, blocked(2), slowly(MINUTE, edit()), ...work.slice(1))],
    });
    await tell(rig, said(rig, 1, START));
    await rig.restart();
    await rig.engine.handle(closed(rig, 2));
    await rig.until("it thinks", () => rig.runtime.requests.length === 2);
    await rig.restart();
    await rig.until("it thinks again", () => rig.runtime.requests.length === 3);
    rig.clock.advance(MINUTE);
    await rig.idle();
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(opened(rig)).toEqual(chosen(3));
  });

  it("survives a handoff", async () => {
    const handoff = call("write_handoff", { summary: "half done", next_action: "the rest" });
    const asked = "nearly as long as it can be";
    const steps = [slowly(MINUTE, edit()), after(asked, handoff), after("You left this", edit("b.ts"))];
    const rig = await aRig({ settings: priced(), script: [on(1, ...steps, ...work.slice(1))] });
    await rig.engine.handle(said(rig, 1, START));
    await rig.until("it thinks", () => rig.runtime.requests.length === 1);
    rig.runtime.fill((await agentOf(rig)).sessionId ?? "", 0.9);
    rig.clock.advance(MINUTE);
    await rig.idle();
    await rig.pass(GRACEFUL_PAUSE_MS);
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionCount: 2 });
    expect(opened(rig)).toEqual(chosen(2));
  });

  it("is kept by a retry, and dropped by a new start", async () => {
    const rig = await aRig({ settings: priced(), script: [on(1, escalate, escalate, escalate)] });
    await tell(rig, said(rig, 1, START));
    await tell(rig, said(rig, 1, "/flotilla retry"));
    expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({ state: "ESCALATED" });
    expect(opened(rig)).toEqual(chosen(2));
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, said(rig, 1, "/flotilla start feat-dev"));
    expect(opened(rig).at(-1)).toEqual({
      model: "gpt-4.1",
      capabilities: ["read", "edit", "shell"],
      temperature: undefined,
    });
  });

  it("that is not allowed starts nobody, and the answer says what is", async () => {
    const rig = await aRig({ settings: priced() });
    await tell(
      rig,
      said(rig, 1, "/flotilla start feat-dev model=gpt-9"),
      said(rig, 2, "/flotilla start feat-dev tools="),
    );
    expect([await taskOf(rig), await taskOf(rig, 2)]).toEqual([undefined, undefined]);
    expect([await decisionsOn(rig), await decisionsOn(rig, 2)]).toEqual([
      ["choice_refused"],
      ["choice_refused"],
    ]);
    expect(commentsOn(rig).join()).toContain("allowed: `gpt-4.1`, `gpt-5`");
    expect(commentsOn(rig, 2).join()).toContain("it has `read`, `edit`, `shell`");
  });
});
