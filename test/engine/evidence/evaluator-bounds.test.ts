import { describe, expect, it } from "vitest";
import { microUsd } from "../../../src/domain/breakers/money.ts";
import type { AgentSession, ExchangeEnd } from "../../../src/domain/ports/agent-runtime.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import {
  asked,
  evaluated,
  evaluations,
  evaluatorRole,
  gone,
  isEvaluator,
  opened,
  shown,
  submits,
  sure,
} from "../evaluating.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, commentsOn, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { checked, labeled, said, tell } from "../people.ts";
import { OUR_SECRET, type Rig } from "../rig.ts";
import { call, edit, on, say, slowly, together, work } from "../scripts.ts";

const LIMITED: ExchangeEnd = {
  kind: "model_error",
  reason: "rate_limit",
  consequence: "park",
  status: 429,
  retryAfterMs: undefined,
  detail: "Slow down.",
};
const parkOf = (rig: Rig) => rig.store.providerParks.get("GitHub Copilot");
const asRole = (overrides: Partial<typeof evaluatorRole>): Pick<Settings, "roles"> => ({
  roles: rolesOf(aRole(), { ...evaluatorRole, ...overrides }),
});

/** The first session of an evaluator behaves otherwise. */
function first(rig: Rig, change: (session: AgentSession) => Partial<AgentSession>): void {
  const open = methodOf(rig.runtime, "open");
  rig.runtime.open = async (spec) => {
    const session = await open(spec);
    if (!isEvaluator(spec.sessionId) || opened(rig).length > 1) return session;
    return { ...session, ...change(session) };
  };
}

describe("an evaluator's conversation", () => {
  it("is deleted before it begins and after it has ended", async () => {
    const rig = await evaluated([on(1, ...work), sure]);
    const order: string[] = [];
    const open = methodOf(rig.runtime, "open");
    const destroy = methodOf(rig.runtime, "destroy");
    rig.runtime.open = (spec) => {
      if (isEvaluator(spec.sessionId)) order.push("open");
      return open(spec);
    };
    rig.runtime.destroy = (place) => {
      if (isEvaluator(place.sessionId)) order.push("destroy");
      return destroy(place);
    };
    await tell(rig, labeled(rig, 1));
    expect(order).toEqual(["destroy", "open", "destroy"]);
  });

  it("whose interrupt is not heard ends with its process", async () => {
    const rig = await evaluated([on(1, ...work), sure]);
    const stopped = Promise.withResolvers<ExchangeEnd>();
    let begun = false;
    first(rig, (session) => ({
      exchange: () => {
        begun = true;
        return stopped.promise;
      },
      interrupt: () => Promise.resolve(),
      stop: () => {
        stopped.resolve({ kind: "aborted" });
        return session.stop();
      },
    }));
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it is asked", () => begun);
    await rig.engine.stop();
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
    gone(rig);
  });

  it("is with the model of its role", async () => {
    const rig = await evaluated([on(1, ...work), sure], asRole({ model: "gpt-5" }));
    await tell(rig, labeled(rig, 1));
    expect(opened(rig).map(({ model }) => model)).toEqual(["gpt-5"]);
  });

  it("has one answer, the first, and secrets are taken out of it", async () => {
    const rig = await evaluated([
      on(1, ...work),
      asked("", together(submits(0.9, `It says ${OUR_SECRET}.`), submits(0.1))),
    ]);
    await tell(rig, labeled(rig, 1));
    expect(await evaluations(rig)).toEqual([[0.9, true, "It says [redacted]."]]);
  });

  it("says so when the change is longer than what is shown of it", async () => {
    const rig = await evaluated([on(1, edit("long.ts", "x".repeat(70_000)), ...work), sure]);
    await tell(rig, labeled(rig, 1));
    expect(shown(rig)[0]).toContain("The change is longer than this");
    expect(shown(rig)[0]?.length).toBeLessThan(65_000);
  });
});

describe("an evaluator's limits", () => {
  it("of tool calls are its own", async () => {
    const rig = await evaluated(
      [on(1, ...work), asked("", call("view"), call("view"), submits(1))],
      asRole({ limits: { maxToolCalls: 1 } }),
    );
    await tell(rig, labeled(rig, 1));
    expect(commentsOn(rig).at(-1)).toContain("it made 1 tool calls and gave no evaluation");
  });

  it("let it answer in the call that spends the agent's last tokens, and do nothing else", async () => {
    const answers = await evaluated([on(1, ...work), sure], limitsOf({ maxTokens: 550 }));
    await tell(answers, labeled(answers, 1));
    expect(await stateOf(answers)).toBe("COMPLETED");
    const reads = await evaluated([on(1, ...work), asked("", call("view"))], limitsOf({ maxTokens: 550 }));
    const open = methodOf(reads.runtime, "open");
    // The real runtime may be interrupted before it tells of a call that was refused.
    reads.runtime.open = (spec) =>
      open({
        ...spec,
        onEvent: (event) => (event.type === "tool_ended" && event.denied ? undefined : spec.onEvent(event)),
      });
    await tell(reads, labeled(reads, 1));
    expect(await agentOf(reads)).toMatchObject({ state: "ESCALATED", breaker: "max_tokens", tokens: 550 });
    const calls = await reads.store.toolCalls.ofAgent((await agentOf(reads)).id);
    expect(calls.at(-1)).toMatchObject({ tool: "view", status: "denied" });
  });

  it("leave nothing reserved of the repository's day when it was cut off", async () => {
    const price = { input: microUsd(2), cached: microUsd(0.5), output: microUsd(8) };
    const runtime = { ...someSettings().runtime, prices: new Map([["gpt-4.1", price]]) };
    // Less than the dearest call: a call that seemed to be under way would hold up all others.
    const rig = await evaluated([on(1, ...work), asked("", slowly(HOUR, submits(1))), on(2, ...work)], {
      runtime,
      repositoryPerDay: { maxCostUsd: 0.3, maxAgents: 50 },
    });
    await rig.engine.handle(labeled(rig, 1));
    for (const time of [1, 2]) {
      await rig.until("it is asked", () => shown(rig).length === time);
      await rig.work(10 * MINUTE);
    }
    await rig.idle();
    expect(await stateOf(rig)).toBe("ESCALATED");
    await rig.engine.handle(labeled(rig, 2));
    await rig.until("its evaluator would be asked", async () =>
      (await rig.store.toolCalls.ofAgent((await agentOf(rig, "feat-dev-issue-2")).id)).some(
        ({ tool }) => tool === "report_complete",
      ),
    );
  });
});

describe("an evaluator and a provider that answers nobody", () => {
  it("parks it for all, and its answer after the pause lets the others follow", async () => {
    const rig = await evaluated([on(1, ...work), sure]);
    first(rig, () => ({ exchange: () => Promise.resolve(LIMITED) }));
    await tell(rig, labeled(rig, 1));
    expect((await parkOf(rig))?.until).toBeGreaterThan(rig.clock.now());
    expect((await agentOf(rig)).sleepReason).toBe("provider_limit");
    await rig.pass(HOUR);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect((await parkOf(rig))?.liftedAt).not.toBeNull();
  });

  it("is not asked on when another agent has met the outage", async () => {
    const slow = asked("", slowly(MINUTE, call("view")), submits(0.9));
    const limited = { error: { status: 429, message: "Slow down." } };
    const rig = await evaluated([on(1, ...work), slow, on(2, limited)]);
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it is asked", () => shown(rig).length === 1);
    await rig.engine.handle(labeled(rig, 2));
    await rig.until("it is parked", async () => (await parkOf(rig)) !== undefined);
    rig.clock.advance(MINUTE);
    await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
    expect(await agentOf(rig)).toMatchObject({ sleepReason: "provider_limit", tokens: 550 });
    gone(rig);
  });
});

it("a wake by green checks that led to a silent evaluator is not told again", async () => {
  const evidence = { ...someSettings().evidence, requiredChecks: ["build"] };
  const rig = await evaluated([on(1, ...work), asked("", say("Hm."))], { evidence });
  await tell(rig, labeled(rig, 1));
  await tell(rig, checked(rig, { build: "green" }));
  const { id } = await agentOf(rig);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "evaluator" });
  expect(await rig.store.wakes.pending(id)).toEqual([]);
  await tell(rig, said(rig, 1, "/flotilla complete"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});
