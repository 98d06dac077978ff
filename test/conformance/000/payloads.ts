import { describe, expect, it } from "vitest";
import type { TransitionRow } from "../../../src/domain/kernel/rows.ts";
import { agentOf, answersTo, commentsOn, runOf, taskOf, toldTo } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { planFirst, plans } from "../../engine/planning.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { call, commit, complete, edit, escalate, on, openPr, slowly, work } from "../../engine/scripts.ts";
import { ASKING, curl } from "../../engine/together/work-under-way.ts";
import { dataOf } from "../../engine/told.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { PROVIDER, someSettings } from "../../factories/some-settings.ts";
import { EVENTS, type TheirEvent } from "./moves.ts";

/** What its events carry, and what stands for it here. */
const FIELDS: Readonly<Record<TheirEvent, Readonly<Record<string, string>>>> = {
  START: {
    taskId: "the issue and its task",
    prompt: "the issue's text in the first message",
    "options.maxTurns": "`turns` of the start, else the role's limit",
    "options.allowedTools": "`tools` of the start within the role's, else the role's",
    "options.model": "`model` of the start among the operator's, else the role's",
    "options.temperature": "`temperature` of the start, else the role's, in each request to the provider",
  },
  STEP: { turn: "agent.turns", toolCalls: "the tool audit", output: "the model's message" },
  PAUSE: { reason: "the transition's reason", context: "who paused it" },
  RESUME: { feedback: "the message at the wake", input: "the message at the wake" },
  ERROR: { error: "run.error and run.errorCode", recoverable: "the event's own field" },
  COMPLETE: { result: "the summary", diff: "the commit under review", turnCount: "agent.turns" },
  ABORT: { reason: "the transition's reason" },
};

/** Its reasons to pause: what of ours pauses for each, until which word. A plan that comes first is confirmed. */
const REASONS = [
  {
    reason: "user_input",
    settings: {},
    step: escalate,
    state: "ESCALATED",
    sleepReason: null,
    run: "waiting_input",
    told: "contradict",
    word: "/flotilla answer Take the second.",
    event: "INPUT_RECEIVED",
  },
  {
    reason: "approval_required",
    ...ASKING,
    step: curl,
    state: "SLEEPING",
    sleepReason: "approval",
    run: "waiting_approval",
    told: "bash",
    word: "/flotilla approve",
    event: "APPROVE",
  },
  {
    reason: "confirmation",
    settings: planFirst,
    step: plans(),
    state: "SLEEPING",
    sleepReason: "approval",
    run: "waiting_approval",
    told: "plan",
    word: "/flotilla approve",
    event: "APPROVE",
  },
] as const;

async function moves(rig: Rig, machine: string): Promise<readonly TransitionRow[]> {
  const all = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return all.filter((move) => move.machine === machine);
}

async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

/** What each event of the document carries, found again where the engine keeps it. */
export function payloads(): void {
  describe("the payloads", () => {
    it("belong to its seven events", () => {
      expect(Object.keys(FIELDS)).toEqual(Object.keys(EVENTS));
    });

    it("START: task, prompt, tools and model are the issue's and the role's", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      const agent = await agentOf(rig);
      const [spec] = rig.runtime.opened;
      const [prompt = ""] = toldTo(rig);
      expect(await taskOf(rig)).toMatchObject({ issue: 1, assigneeId: agent.id });
      for (const text of ["#1", "Feature 1", "Do 1."]) expect(prompt).toContain(text);
      expect(spec?.model).toBe("gpt-4.1");
      expect(spec?.tools.map(({ name }) => name)).toContain("report_complete");
      expect(spec?.tools.map(({ name }) => name)).not.toContain("submit_verdict");
      expect(spec?.capabilities).toEqual(["read", "edit", "shell"]);
      expect(spec?.temperature).toBeUndefined();
    });

    it("START: its own limit of turns goes before the role's, and stops it there", async () => {
      const rig = await aRig({ script: [on(1, edit("a.ts"), edit("b.ts"), ...work)] });
      await tell(rig, said(rig, 1, "/flotilla start feat-dev turns=2"));
      expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "approval", turns: 2 });
      expect(await runOf(rig)).toMatchObject({ state: "waiting_approval", waitingFor: "max_turns" });
    });

    it("START: its own model goes before the role's, is asked in each conversation, and is what is paid", async () => {
      const settings = { runtime: { ...someSettings().runtime, models: ["gpt-5"] } };
      const rig = await aRig({ settings, script: [on(1, ...work)] });
      await tell(rig, said(rig, 1, "/flotilla start feat-dev model=gpt-5"));
      const agent = await agentOf(rig);
      expect(agent).toMatchObject({ state: "COMPLETED", model: "gpt-5", allowedTools: null });
      expect(rig.runtime.opened.map(({ model }) => model)).toEqual(["gpt-5"]);
      const slices = await Array.fromAsync(rig.store.ledger.slices(0, null));
      const paid = slices.flatMap(({ usage }) => usage.map(({ model }) => model));
      expect([...new Set(paid)]).toEqual(["gpt-5"]);
    });

    it("START: its own tools narrow the role's: a call of another one is denied and does not run", async () => {
      const rig = await aRig({ script: [on(1, call("comment", { body: "Hello" }), ...work)] });
      await tell(rig, said(rig, 1, "/flotilla start feat-dev tools=read,edit"));
      const agent = await agentOf(rig);
      expect(agent).toMatchObject({ state: "COMPLETED", model: null, allowedTools: ["read", "edit"] });
      const [spec] = rig.runtime.opened;
      expect(spec?.capabilities).toEqual(["read", "edit"]);
      expect(spec?.tools.map(({ name }) => name)).not.toContain("comment");
      const [first] = await rig.store.toolCalls.ofAgent(agent.id);
      expect(first).toMatchObject({ tool: "comment", status: "denied" });
      expect(commentsOn(rig).join()).not.toContain("Hello");
    });

    it("START: its own temperature goes before the role's, and is that of each conversation", async () => {
      const settings = { runtime: { ...someSettings().runtime, provider: PROVIDER } };
      const rig = await aRig({ settings, script: [on(1, ...work)] });
      await tell(rig, said(rig, 1, "/flotilla start feat-dev temperature=0.2"));
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", temperature: 0.2 });
      expect(rig.runtime.opened.map(({ temperature }) => temperature)).toEqual([0.2]);
    });

    it("STEP: each turn is counted, and a tool that fails is told to the model and ends nothing", async () => {
      const fails = call("read_issue", { number: 99 });
      const rig = await aRig({ script: [on(1, edit(), fails, commit, openPr, complete)] });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", turns: 5, toolCalls: 5 });
      expect(answersTo(rig)[1]).toContain("99");
    });

    it("PAUSE: who paused it and why stand in the record, and the phase is remembered", async () => {
      const rig = await atWork();
      await tell(rig, said(rig, 1, "/flotilla pause"));
      expect(await agentOf(rig)).toMatchObject({ sleepReason: "paused", heldBy: ["person"] });
      expect((await moves(rig, "agent")).at(-1)).toMatchObject({ event: "PAUSE", actor: "alice" });
      expect((await moves(rig, "agent")).at(-1)?.reason).toContain("alice");
      expect(await runOf(rig)).toMatchObject({ state: "paused" });
    });

    it.each(REASONS)("PAUSE: for $reason it stands still until a person says $word", async (one) => {
      const rig = await aRig({ settings: one.settings, script: [on(1, one.step, ...work)] });
      await tell(rig, labeled(rig, 1));
      expect(await agentOf(rig)).toMatchObject({ state: one.state, sleepReason: one.sleepReason });
      expect(await runOf(rig)).toMatchObject({ state: one.run });
      const paused = { state: one.state, reason: expect.stringContaining(one.told) };
      expect(await dataOf(rig, "agent:paused")).toEqual([paused]);
      // Nothing but that word ends it.
      await rig.pass(HOUR);
      expect((await runOf(rig))?.state).toBe(one.run);
      await tell(rig, said(rig, 1, one.word));
      expect((await moves(rig, "run")).map(({ event }) => event)).toContain(one.event);
      expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", reason: "Built and tested." });
    });

    it("RESUME: what the person says with it is told to the model", async () => {
      const rig = await aRig({ script: [on(1, escalate, ...work)] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla answer Take the second."));
      expect(toldTo(rig)[1]).toContain("Take the second.");
      expect((await moves(rig, "run")).map(({ event }) => event)).toContain("INPUT_RECEIVED");
    });

    it.each([
      ["recoverable", { status: 503, message: "overloaded" }, "SLEEPING", "error", "model_unavailable"],
      ["not recoverable", { status: 400, message: "no such model" }, "FAILED", "failed", "model_refused"],
    ])("ERROR: %s, its text and code stand in the run", async (_, error, agent, run, errorCode) => {
      const rig = await aRig({ script: [on(1, { error })] });
      await tell(rig, labeled(rig, 1));
      expect((await agentOf(rig)).state).toBe(agent);
      expect(await runOf(rig)).toMatchObject({ state: run, errorCode });
      expect((await runOf(rig))?.error).toContain(error.message);
      expect((await moves(rig, "run")).at(-1)).toMatchObject({ event: "ERROR", to: run });
    });

    it("COMPLETE: result, diff and count of turns are the summary, the commit and the turns", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await tell(rig, labeled(rig, 1));
      const agent = await agentOf(rig);
      expect(agent.reason).toBe("Built and tested.");
      expect(agent.turns).toBeGreaterThanOrEqual(1);
      expect((await taskOf(rig))?.reviewCommit).toBe(agent.headCommit);
      expect(agent.headCommit).not.toBeNull();
    });

    it("ABORT: who ended it and why stand in the record", async () => {
      const rig = await atWork();
      await tell(rig, said(rig, 1, "/flotilla cancel"));
      const last = (await moves(rig, "agent")).at(-1);
      expect(last).toMatchObject({ event: "CANCEL", to: "CANCELLED", actor: "alice" });
      expect((await agentOf(rig)).reason).toBe(last?.reason);
      expect(last?.reason).not.toBe("");
    });

    it("say where each comes from: the host, the agent or a person", async () => {
      const rig = await aRig({ script: [on(1, escalate, ...work)] });
      await tell(rig, labeled(rig, 1));
      await tell(rig, said(rig, 1, "/flotilla resume"));
      const all = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
      expect(new Set(all.map(({ actor }) => actor))).toEqual(new Set(["alice", "flotilla", "agent"]));
    });
  });
}
