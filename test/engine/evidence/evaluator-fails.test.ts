import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import {
  asked,
  evaluated,
  evaluatorRole,
  gone,
  isEvaluator,
  opened,
  shown,
  submits,
  sure,
} from "../evaluating.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, commentsOn, runOf, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import { after, call, commit, edit, on, type Step, say, slowly, work } from "../scripts.ts";

/** An evaluator has been asked, and takes its time. */
async function atWork(): Promise<Rig> {
  const rig = await evaluated([on(1, ...work), asked("", slowly(MINUTE, submits(0.9)))]);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is asked", () => shown(rig).length === 1);
  return rig;
}

describe("an evaluator that does not answer", () => {
  it.each([
    ["ends without a word", [say("I am not sure.")], "it ended without an evaluation"],
    ["is refused by the model", [{ error: { status: 400, message: "too long" } }], "too long"],
    ["runs out of its turns", [call("view"), call("view"), submits(1)], "2 turns and gave no evaluation"],
  ] satisfies readonly (readonly [string, readonly Step[], string])[])(
    "because it %s is asked once more, then a person is",
    async (_, steps, why) => {
      const limited = { ...evaluatorRole, limits: { maxTurns: 2 } };
      const rig = await evaluated([on(1, ...work), asked("", ...steps)], {
        roles: rolesOf(aRole(), limited),
      });
      await tell(rig, labeled(rig, 1));
      expect(opened(rig)).toHaveLength(2);
      expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "evaluator" });
      expect(commentsOn(rig).at(-1)).toContain(why);
      expect(await runOf(rig)).toMatchObject({ state: "waiting_input", bounces: 0, confidence: null });
      gone(rig);
    },
  );

  it("because the provider does not take its temperature says which key to change", async () => {
    const refusal = { error: { status: 400, message: "temperature must be 1" } };
    const rig = await evaluated([on(1, ...work), asked("", refusal)], {
      roles: rolesOf(aRole(), { ...evaluatorRole, temperature: 0.2 }),
    });
    await tell(rig, labeled(rig, 1));
    expect(opened(rig).map(({ temperature }) => temperature)).toEqual([0.2, 0.2]);
    expect(rig.runtime.opened[0]?.temperature).toBeUndefined();
    expect(commentsOn(rig).at(-1)).toContain("Change `temperature` in the role file of evaluator");
  });

  it("is asked again when a person says resume, and the coder is told nothing", async () => {
    const rig = await evaluated([on(1, ...work), asked("", say("Hm."))]);
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("ESCALATED");
    const open = rig.runtime.open.bind(rig.runtime);
    rig.runtime.open = async (spec) => {
      const session = await open(spec);
      const [tool] = spec.tools.filter(({ name }) => name === "submit_evaluation");
      const signal = new AbortController().signal;
      if (tool === undefined) return session;
      return {
        ...session,
        exchange: async () => {
          await tool.call({ confidence: 1, reason: "Now." }, { toolCallId: "1", signal });
          return { kind: "idle", lastMessage: "" };
        },
      };
    };
    await tell(rig, said(rig, 1, "/flotilla resume"));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(toldTo(rig)).toHaveLength(1);
    expect((await runOf(rig))?.iteration).toBe(2);
  });

  it("whose process dies once is asked once more", async () => {
    const rig = await evaluated([on(1, ...work), asked("", slowly(MINUTE, submits(0.9)))]);
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it is asked", () => shown(rig).length === 1);
    rig.runtime.kill(opened(rig)[0]?.sessionId ?? "");
    await rig.until("it is asked again", () => shown(rig).length === 2);
    await rig.work(MINUTE);
    await rig.idle();
    expect(await stateOf(rig)).toBe("COMPLETED");
    gone(rig);
  });

  it("within evidence.timeout is ended, each time", async () => {
    const rig = await evaluated([on(1, ...work), asked("", slowly(HOUR, submits(0.9)))]);
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it is asked", () => shown(rig).length === 1);
    await rig.work(10 * MINUTE);
    await rig.until("it is asked again", () => shown(rig).length === 2);
    expect(rig.runtime.running.size).toBe(2);
    await rig.work(10 * MINUTE);
    await rig.idle();
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "evaluator" });
    expect(commentsOn(rig).at(-1)).toContain("it gave no evaluation within 10 min");
    gone(rig);
  });
});

describe("an evaluator's model calls", () => {
  it("are paid by the agent whose claim it looks at", async () => {
    const rig = await evaluated([on(1, ...work), asked("", call("view"), submits(0.9))]);
    await tell(rig, labeled(rig, 1));
    // Four of its own, two of the evaluator's; its turns and tool calls are its own.
    expect(await agentOf(rig)).toMatchObject({ tokens: 660, turns: 4, toolCalls: 4 });
  });

  it("are not made when the agent has spent its tokens; the claim waits for a person's grant", async () => {
    const rig = await evaluated([on(1, ...work), sure], limitsOf({ maxTokens: 440 }));
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tokens", tokens: 440 });
    await tell(rig, said(rig, 1, "/flotilla budget +1000 tokens"));
    expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", tokens: 550 });
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("count for the coder that continues after a refusal", async () => {
    const script = [
      on(1, ...work, after("this is missing", edit("fix.ts")), commit),
      asked("", submits(0.1)),
    ];
    const rig = await evaluated(script, limitsOf({ maxTokens: 650 }));
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_tokens" });
    const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
    // Its fifth call is the sixth that is paid, and the tokens are gone.
    expect(calls.findLast(({ tool }) => tool === "edit")).toMatchObject({ status: "denied" });
  });

  it("wait with all others while the provider answers nobody; its claim is evaluated after", async () => {
    const limited: Step = { error: { status: 429, message: "Slow down." } };
    const rig = await evaluated([on(1, ...work), asked("", limited)]);
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "provider_limit", turns: 4 });
    expect(await runOf(rig)).toMatchObject({ state: "error", remembered: "evaluating" });
    expect(opened(rig)).toHaveLength(1);
    gone(rig);
    await rig.pass(HOUR);
    expect(opened(rig)).toHaveLength(2);
    expect(await runOf(rig)).toMatchObject({ remembered: "evaluating", iteration: 1 });
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("are not made when the repository's day is spent", async () => {
    // Each call is 100 tokens in and 10 out.
    const price = { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) };
    const runtime = { ...someSettings().runtime, prices: new Map([["gpt-4.1", price]]) };
    const rig = await evaluated([on(1, ...work), sure], {
      runtime,
      repositoryPerDay: { maxCostUsd: (4 * 280) / 1_000_000, maxAgents: 50 },
    });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "retry", turns: 4 });
    expect(opened(rig)).toHaveLength(1);
    expect((await agentOf(rig)).tokens).toBe(440);
    gone(rig);
    // The clock of the tests begins at 22:40.
    await rig.pass(80 * MINUTE);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(toldTo(rig)).toHaveLength(1);
  });
});

describe("an evaluator at work", () => {
  it("is ended when the host stops, and asked again after", async () => {
    const rig = await atWork();
    await rig.engine.stop();
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
    expect((await runOf(rig))?.state).toBe("evaluating");
    gone(rig);
    await rig.restart();
    await rig.work(10_000);
    await rig.until("it is asked again", () => shown(rig).length === 2);
    await rig.work(MINUTE);
    await rig.idle();
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(opened(rig)).toHaveLength(2);
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("that a killed host left behind is found and ended at the next start", async () => {
    const rig = await atWork();
    const kill = rig.runtime.kill.bind(rig.runtime);
    rig.runtime.kill = (id) => (isEvaluator(id) ? undefined : kill(id));
    const reaped: string[] = [];
    const destroyed: string[] = [];
    const reap = methodOf(rig.runtime, "reap");
    const destroy = methodOf(rig.runtime, "destroy");
    rig.runtime.reap = (sessions) => {
      reaped.push(...sessions.map(({ sessionId, baseDirectory }) => `${sessionId}@${baseDirectory}`));
      return reap(sessions);
    };
    rig.runtime.destroy = (session) => {
      destroyed.push(session.sessionId);
      return destroy(session);
    };
    await rig.restart();
    const { sessionId = "" } = opened(rig)[0] ?? {};
    expect(reaped).toContain(`${sessionId}@/fake/evaluations/1`);
    expect(destroyed).toEqual([sessionId]);
    gone(rig);
  });

  it("is cut off in its calls too, and they are recorded so", async () => {
    const rig = await evaluated([on(1, ...work), asked("", call("read_issue"), submits(0.9))]);
    const issue = methodOf(rig.github, "issue");
    rig.github.issue = (...args) => {
      const [evaluator] = opened(rig);
      if (evaluator === undefined) return issue(...args);
      rig.github.issue = issue;
      rig.runtime.kill(evaluator.sessionId);
      return issue(...args);
    };
    await tell(rig, labeled(rig, 1));
    const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
    expect(calls.filter(({ tool }) => tool === "read_issue").map(({ status }) => status)).toEqual([
      "interrupted",
      "success",
    ]);
    expect(await stateOf(rig)).toBe("COMPLETED");
  });

  it("is ended when the agent is stopped by a person", async () => {
    const rig = await atWork();
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    expect(await stateOf(rig)).toBe("CANCELLED");
    gone(rig);
  });

  it("whose answer was kept before a crash is not asked again", async () => {
    const rig = await evaluated([on(1, ...work), sure]);
    const over = Promise.withResolvers<void>();
    rig.onCrashPoint = (point) => {
      if (point !== "evidence:evaluation") return;
      rig.life.end();
      over.resolve();
    };
    await rig.engine.handle(labeled(rig, 1));
    await Promise.race([rig.idle(), over.promise]);
    rig.onCrashPoint = () => {};
    await rig.restart();
    await rig.pass(10_000);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(opened(rig)).toHaveLength(1);
  });
});
