import { describe, expect, it } from "vitest";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { PROVIDER, rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, toldTo } from "../look.ts";
import { issueOf, labeled, said, tell } from "../people.ts";
import { coding, ran, reviewing, verdict } from "../reviewer-rig.ts";
import { aRig, REPOSITORY, type Rig, type RigOptions } from "../rig.ts";
import { edit, escalate, on, onAttempt, slowly, work } from "../scripts.ts";
import { dataOf } from "../told.ts";

const ACME = {
  ...PROVIDER,
  type: "anthropic" as const,
  baseUrl: "https://acme.example",
  apiKeyEnv: "ACME_KEY",
};
const OTHER = { ...PROVIDER, baseUrl: "https://other.example/v1", apiKeyEnv: "OTHER_KEY" };
const REVIEWED = rolesOf(aRole(), REVIEWER);
/** Two programs beside the built-in one. */
const MIXED: Partial<Settings> = {
  providers: { acme: ACME, other: OTHER },
  runtimes: {
    claude: { preset: "claude", models: ["acme/big", "acme/small"], effort: "high" },
    codex: { preset: "codex", models: ["other/gpt-6", "acme/spare"] },
  },
  runtimeLabels: { "agent:codex": "codex" },
  roles: rolesOf(aRole()),
};
const mixed = (options: RigOptions = {}) =>
  aRig({ script: [on(1, ...work)], ...options, settings: { ...MIXED, ...options.settings } });
const openedIn = (rig: Rig) =>
  [rig.runtime, ...rig.others.values()].flatMap(({ name, opened }) => opened.map(() => name));
const why = (rig: Rig) => rig.store.decisions.ofIssue(REPOSITORY.id, 1, 100);

const reviewer = async (rig: Rig) => (await rig.store.records.find("agent", { role: "reviewer" }))[0];
const call = (model: string) =>
  ({ type: "usage", model, inputTokens: 1000, outputTokens: 0, cachedTokens: 0, answered: true }) as const;

/** The models of the runtime are refused, all of them, until this much time has passed. */
function refuses(rig: Rig, name: string, lasts: number): void {
  const until = rig.clock.now() + lasts;
  const runtime = rig.others.get(name);
  const open = runtime?.open.bind(runtime);
  if (runtime === undefined || open === undefined) throw new Error(`there is no runtime ${name}`);
  runtime.open = async (spec) => {
    const session = await open(spec);
    return {
      ...session,
      exchange: (prompt, options) => {
        if (rig.clock.now() >= until) return session.exchange(prompt, options);
        spec.onEvent({ type: "turn_started", turnId: "0" });
        return Promise.resolve({
          kind: "model_error",
          reason: "rate_limit",
          consequence: "park",
          status: 429,
          retryAfterMs: undefined,
          detail: "Slow down.",
        });
      },
    };
  };
}

describe("which runtime a task has", () => {
  it("is the one that a command asks for, with its models in order, its providers' keys and its effort", async () => {
    const rig = await mixed();
    issueOf(rig, 1).labels = ["agent:codex"];
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude"));
    expect(await agentOf(rig)).toMatchObject({ runtime: "claude", state: "COMPLETED" });
    expect(rig.others.get("claude")?.opened).toMatchObject([
      {
        model: "big",
        provider: { baseUrl: "https://acme.example", apiKey: expect.any(String) },
        otherModels: [{ model: "small", provider: { baseUrl: "https://acme.example" } }],
        effort: "high",
      },
    ]);
    expect(openedIn(rig)).toEqual(["claude"]);
  });

  it("else of a label, in any letters; else of the role; else of runtime.use", async () => {
    const roles = rolesOf(
      aRole({ runtime: "claude" }),
      aRole({ name: "bug-fix", triggers: [{ event: "issues.labeled", label: "bug" }] }),
    );
    const script = [1, 2, 3].map((issue) => on(issue, ...work));
    const rig = await mixed({
      script,
      settings: { roles, runtime: { ...someSettings().runtime, use: "codex" } },
    });
    issueOf(rig, 1).labels = ["Agent:CODEX"];
    await tell(rig, labeled(rig, 1));
    await tell(rig, labeled(rig, 2));
    await tell(rig, labeled(rig, 3, { label: "bug" }));
    const agents = await rig.store.records.find("agent", {});
    expect(agents.map(({ role, runtime }) => [role, runtime])).toEqual([
      ["feat-dev", "codex"],
      ["feat-dev", "claude"],
      ["bug-fix", "codex"],
    ]);
  });

  it("is kept over a wait, a restart and a new attempt; only a person's word changes it, with a new agent", async () => {
    const script = [onAttempt(1, 3, ...work), on(1, edit(), escalate)];
    const rig = await mixed({ script });
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude"));
    expect(await stateOf(rig)).toBe("ESCALATED");
    await rig.restart();
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    issueOf(rig, 1).labels = ["agent:codex"];
    await tell(rig, said(rig, 1, "/flotilla retry"));
    expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({ runtime: "claude" });
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with codex"));
    expect(await agentOf(rig, "feat-dev-issue-1.3")).toMatchObject({ runtime: "codex" });
    expect(new Set(openedIn(rig))).toEqual(new Set(["claude", "codex"]));
  });

  it("gets what another one left, and is not told of its conversation as its own", async () => {
    const rig = await mixed({ script: [onAttempt(1, 2, ...work), on(1, escalate)] });
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude"));
    const { id: agentId, sessionId } = await agentOf(rig);
    await rig.store.handoffs.add({
      agentId,
      sessionId,
      cause: "context",
      writtenBy: "agent",
      summary: "feature.ts is half done",
      nextAction: "the rest",
      repeated: null,
      createdAt: rig.clock.now(),
    });
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with codex"));
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
    const told = JSON.stringify(rig.others.get("codex")?.requests[0]);
    expect(told).toContain("the attempt before this one, which was claude's");
    expect(told).toContain("feature.ts is half done");
    expect(told).not.toMatch(/[Yy]our earlier conversation|as you left them/);
  });

  it("is refused with the next step where nobody knows it", async () => {
    const rig = await mixed();
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with clade"));
    expect(await decisionsOn(rig)).toEqual(["choice_refused"]);
    const [answer] = commentsOn(rig);
    expect(answer).toContain("there is no runtime `clade` here");
    expect(answer).toContain("`claude`, `codex`");
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude model=gpt-5"));
    expect(commentsOn(rig).at(-1)).toContain("allowed: `acme/big`, `acme/small`");
  });

  it("is not chosen by a label from somebody without permission, which is taken off again", async () => {
    const rig = await mixed();
    await tell(rig, labeled(rig, 1, { label: "agent:codex", by: "eve" }));
    expect(await decisionsOn(rig)).toEqual(["not_permitted"]);
    expect(issueOf(rig, 1).labels).toEqual([]);
    await tell(rig, labeled(rig, 1, { label: "agent:codex" }));
    expect(await decisionsOn(rig)).toEqual(["not_permitted", "runtime_label"]);
    expect(issueOf(rig, 1).labels).toEqual(["agent:codex"]);
  });

  it("is not two: an issue with labels of both starts nobody until one is gone", async () => {
    const rig = await mixed({
      settings: { runtimeLabels: { "agent:codex": "codex", "agent:claude": "claude" } },
    });
    issueOf(rig, 1).labels = ["agent:codex", "agent:claude"];
    await tell(rig, labeled(rig, 1));
    expect(await rig.store.records.find("agent", {})).toEqual([]);
    expect((await why(rig))[0]?.reason).toContain("more than one runtime: `codex`, `claude`");
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude"));
    expect(await agentOf(rig)).toMatchObject({ runtime: "claude" });
  });
});

describe("an agent whose runtime is not configured any more", () => {
  it("waits, says what to do, and goes on when it is back", async () => {
    const rig = await mixed({
      withoutRuntimes: ["claude"],
      settings: { runtime: { ...someSettings().runtime, use: "claude" } },
    });
    await tell(rig, labeled(rig, 1));
    const agent = await agentOf(rig);
    expect(agent).toMatchObject({ state: "SLEEPING", sleepReason: "retry", runtime: "claude", restarts: 0 });
    const [wait] = (await rig.store.transitions.ofAgent(agent.id)).filter(({ event }) => event === "WAIT");
    expect(wait?.reason).toContain(
      "the configuration has no runtime claude any more; put it back and restart Flotilla",
    );
    expect(wait?.reason).toContain("/flotilla start <role> with <runtime>");
    await rig.pass(HOUR);
    expect(await stateOf(rig)).toBe("SLEEPING");
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with codex"));
    expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({ runtime: "codex", state: "COMPLETED" });
  });
});

describe("review.differ", () => {
  const differ = { roles: REVIEWED, review: { ...someSettings().review, differ: true } };
  const script = [coding(1), reviewing(1, ran(), verdict("approve"))];

  it("gives the reviewer another runtime than the coder had, and says so", async () => {
    const rig = await mixed({
      script,
      settings: { ...differ, runtime: { ...someSettings().runtime, use: "claude" } },
    });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ runtime: "claude" });
    expect(await reviewer(rig)).toMatchObject({ runtime: "codex", state: "COMPLETED" });
    expect((await why(rig)).find(({ rule }) => rule === "review_differs")?.reason).toBe(
      "reviewer works with codex (other/gpt-6), because the coder worked with claude (acme/big)",
    );
  });

  it("else another model", async () => {
    const runtimes = { claude: { preset: "claude", models: ["acme/big", "acme/small"] } };
    const rig = await mixed({
      script,
      settings: {
        ...differ,
        runtimes,
        runtimeLabels: {},
        runtime: { ...someSettings().runtime, use: "claude" },
      },
    });
    await tell(rig, labeled(rig, 1));
    expect(await reviewer(rig)).toMatchObject({ runtime: "claude", model: "acme/small" });
    expect(
      rig.others.get("claude")?.opened.map(({ model, otherModels }) => [model, otherModels.length]),
    ).toEqual([
      ["big", 1],
      ["small", 0],
    ]);
  });

  it("else the coder's, and says that there is no other", async () => {
    const rig = await aRig({ script, settings: { ...differ } });
    await tell(rig, labeled(rig, 1));
    expect(await reviewer(rig)).toMatchObject({ runtime: "copilot", model: null });
    expect((await why(rig)).find(({ rule }) => rule === "review_differs")?.reason).toContain(
      "copilot (gpt-4.1), like the coder: `review.differ` asks for another runtime or model, but none is configured",
    );
  });
});

describe("models that stand in for one another", () => {
  const prices = new Map([
    ["big", { input: 10_000_000, cached: 0, output: 0 }],
    ["small", { input: 1_000_000, cached: 0, output: 0 }],
  ]);
  it("are told on the timeline as they change, and each call costs what the one that answered costs", async () => {
    const rig = await mixed({
      script: [on(1, slowly(MINUTE, edit()), ...work)],
      settings: { runtime: { ...someSettings().runtime, use: "claude", prices } },
    });
    await rig.engine.handle(labeled(rig, 1));
    const claude = rig.others.get("claude");
    await rig.until("it talks", () => claude?.requests.length === 1);
    const emit = claude?.opened[0]?.onEvent;
    emit?.(call("big-2026-11-01"));
    emit?.({ type: "model_changed", from: "big", to: "small", reason: "big answered 429" });
    emit?.(call("small-2026-11-01"));
    emit?.(call("of a name of its own"));
    emit?.({ type: "model_changed", from: "small", to: "big", reason: "big may be asked again" });
    emit?.(call("of a name of its own"));
    rig.clock.advance(MINUTE);
    await rig.idle();
    expect(await dataOf(rig, "agent:model")).toEqual([
      { from: "big", to: "small", reason: "big answered 429" },
      { from: "small", to: "big", reason: "big may be asked again" },
    ]);
    const { costMicroUsd } = await agentOf(rig);
    // Five more, of a tenth of the size, are those of the work itself.
    expect(costMicroUsd).toBe(10_000 + 1_000 + 1_000 + 10_000 + 5 * 1_000);
  });
});

describe("the pause of a provider", () => {
  it("holds agents of its account only, and nobody who has another account to ask", async () => {
    const rig = await mixed({ script: [1, 2, 3].map((issue) => on(issue, ...work)) });
    refuses(rig, "claude", MINUTE);
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude"));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "provider_limit" });
    // Of the parked account's other model, and of another account beside it.
    await tell(rig, said(rig, 2, "/flotilla start feat-dev with claude"));
    expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CREATED");
    await tell(rig, said(rig, 3, "/flotilla start feat-dev with codex"));
    expect(await stateOf(rig, "feat-dev-issue-3")).toBe("COMPLETED");
    await rig.pass(HOUR);
    await rig.pass(HOUR);
    expect([await stateOf(rig), await stateOf(rig, "feat-dev-issue-2")]).toEqual(["COMPLETED", "COMPLETED"]);
  });

  it("covers each account of a list once all of it is refused", async () => {
    const rig = await mixed();
    refuses(rig, "codex", HOUR);
    await tell(rig, said(rig, 1, "/flotilla start feat-dev with codex"));
    await tell(rig, said(rig, 2, "/flotilla start feat-dev with claude"));
    expect(await stateOf(rig, "feat-dev-issue-2")).toBe("CREATED");
    const parks = await Promise.all(
      ["https://other.example/v1 (OTHER_KEY)", "https://acme.example (ACME_KEY)"].map((account) =>
        rig.store.providerParks.get(account),
      ),
    );
    expect(parks.map((park) => park?.failures)).toEqual([1, 1]);
  });
});

it("the built-in runtime and the others work side by side, each with its own conversations", async () => {
  const script = [on(1, ...work), on(2, ...work), on(3, ...work)];
  const rig = await mixed({ script });
  await tell(rig, said(rig, 1, "/flotilla start feat-dev with claude"));
  await tell(rig, said(rig, 2, "/flotilla start feat-dev with codex"));
  await tell(rig, labeled(rig, 3));
  expect(openedIn(rig)).toEqual(["copilot", "claude", "codex"]);
  expect(toldTo(rig, 3).join("\n")).toContain("Work on issue #3");
});
