import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { observedStore } from "../../../src/adapters/store/observed-store.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { createInstruments, type Instruments } from "../../../src/observability/metrics/instruments.ts";
import { createMetricsObserver } from "../../../src/observability/metrics/metrics-observer.ts";
import { delivery, effect, insertAgent, repository, wake } from "../../adapters/store/samples.ts";
import { CLAIM, OURS } from "../../factories/leases.ts";
import { memoryStore } from "../../factories/memory-store.ts";
import { samplesIn } from "./samples-in.ts";

let store: Store;
let instruments: Instruments;

beforeEach(async () => {
  instruments = createInstruments();
  store = counting(memoryStore(), instruments);
  onTestFinished(() => store.close());
});

const counting = (base: Store, to: Instruments): Store =>
  observedStore(base, [(reads) => createMetricsObserver(to, reads)], {
    error: (_, message) => expect.unreachable(message),
  });

/** The samples of a metric that are not 0, as `labels value`. */
async function counted(name: string): Promise<readonly string[]> {
  return samplesIn(await instruments.registry.metrics())
    .filter((sample) => sample.name === `flotilla_${name}` && sample.value !== 0)
    .map(({ labels, value }) => `${Object.values(labels).join(" ")} ${value}`.trim());
}

const move = {
  machine: "agent",
  repositoryId: repository.id,
  issue: 42,
  actor: "flotilla",
  event: "ANY",
  reason: null,
  evidence: null,
  delivery: null,
} as const;
const call = { model: "m", inputTokens: 100, outputTokens: 10, cachedTokens: 40, costMicroUsd: 1_500_000 };

describe("what goes through the store is counted", () => {
  it("deliveries, by event and outcome, each once, and their further tries", async () => {
    await store.deliveries.insert([
      delivery({ guid: "a" }),
      delivery({ guid: "b", event: "push", lane: "x" }),
    ]);
    await store.deliveries.claim({ ...CLAIM, now: 2000, limit: 8 });
    await store.transaction((tables) => tables.deliveries.settle("a", OURS.token, "done", null, 1));
    await store.deliveries.settle("a", OURS.token, "done", null, 1);
    await store.deliveries.retry("b", OURS.token, { notBefore: 0, note: "x", countAttempt: true });
    await store.deliveries.settle("c", OURS.token, "dead", null, 1);
    expect(await counted("deliveries_total")).toEqual(["issues done 1"]);
    expect(await counted("delivery_retries_total")).toEqual(["push 1"]);
  });

  it("effects, by kind and outcome, and every try of them", async () => {
    await store.repositories.put(repository);
    const [id = 0] = await store.effects.add([effect({ key: "k" })]);
    const lease = () => store.effects.lease({ ...OURS, now: 5000, leaseMs: () => 1000, limit: 8 });
    await lease();
    const later = { notBefore: 0, error: "x", uncertain: false, lagsUntil: 0, countAttempt: true };
    await store.effects.retry(id, OURS.token, later);
    await lease();
    const done = { state: "done", result: null, error: null, at: 5000 } as const;
    await store.effects.settle(id, OURS.token, done);
    await store.effects.settle(id, OURS.token, done);
    expect(await counted("effect_attempts_total")).toEqual(["add_labels 2"]);
    expect(await counted("effects_total")).toEqual(["add_labels done 1"]);
  });

  it("nothing of a transaction that is rolled back", async () => {
    await store.repositories.put(repository);
    const decision = { at: 1, repositoryId: 7, issue: 42, agentId: null, reason: "r", change: null };
    const add = { ...decision, rule: "slot", inputs: null, delivery: null } as const;
    const broken = store.transaction(async (tables) => {
      await tables.decisions.add(add);
      throw new Error("rolled back");
    });
    await expect(broken).rejects.toThrow("rolled back");
    expect(await counted("decisions_total")).toEqual([]);
    await store.transaction((tables) => tables.decisions.add(add));
    await store.decisions.add(add);
    expect(await counted("decisions_total")).toEqual(["slot 1"]);
  });

  it("turns, tokens and dollars, by model and role", async () => {
    const { id: agentId } = await insertAgent(store);
    await store.usage.add({ ...call, agentId, at: 1 });
    await store.records.count(agentId, "turns", 1);
    await store.records.count(agentId, "turns", -1);
    await store.records.count(agentId, "tokens", 1);
    expect(await counted("tokens_total")).toEqual([
      "m feat-dev input 100",
      "m feat-dev cached 40",
      "m feat-dev output 10",
    ]);
    expect(await counted("cost_usd_total")).toEqual(["m feat-dev 1.5"]);
    expect(await counted("turns_total")).toEqual(["feat-dev 1"]);
  });

  it("the time in a state, also of agents that an earlier life moved", async () => {
    const { id } = await insertAgent(store, { createdAt: 1000 });
    const go = (from: string, to: string, at: number) =>
      store.transitions.add({ ...move, recordId: id, agentId: id, from, to, at });
    await go("NONE", "CREATED", 1000);
    await go("CREATED", "ACTIVE", 3000);
    await go("ACTIVE", "ACTIVE", 4000);
    await go("ACTIVE", "SLEEPING", 8000);
    const again = createInstruments();
    const next = counting(store, again);
    await next.transitions.add({
      ...move,
      recordId: id,
      agentId: id,
      from: "SLEEPING",
      to: "ACTIVE",
      at: 9000,
    });
    const sums = ["CREATED 2", "ACTIVE 5", "SLEEPING 1"];
    expect(await counted("agent_state_seconds_sum")).toEqual(sums);
    expect(await again.registry.metrics()).toContain(
      'flotilla_agent_state_seconds_sum{state="SLEEPING"} 1\n',
    );
    const { id: fresh } = await insertAgent(store, { issue: 43, createdAt: 1000 });
    await next.transitions.add({
      ...move,
      recordId: fresh,
      agentId: fresh,
      from: "CREATED",
      to: "CANCELLED",
      at: 1500,
    });
    expect(await again.registry.metrics()).toContain(
      'flotilla_agent_state_seconds_sum{state="CREATED"} 0.5\n',
    );
  });

  it("the time in a state that an agent left twice in one transaction, after a restart", async () => {
    const { id } = await insertAgent(store, { createdAt: 1000 });
    const go = (from: string, to: string, at: number) => ({
      ...move,
      recordId: id,
      agentId: id,
      from,
      to,
      at,
    });
    await store.transitions.add(go("CREATED", "ACTIVE", 3000));
    const again = createInstruments();
    await counting(store, again).transaction(async ({ transitions }) => {
      await transitions.add(go("ACTIVE", "SLEEPING", 8000));
      await transitions.add(go("SLEEPING", "ACTIVE", 8000));
      await transitions.add(go("ACTIVE", "COMPLETED", 8000));
    });
    const sums = samplesIn(await again.registry.metrics())
      .filter(({ name }) => name === "flotilla_agent_state_seconds_sum")
      .map(({ labels, value }) => [labels["state"], value]);
    expect(Object.fromEntries(sums)).toMatchObject({ ACTIVE: 5, SLEEPING: 0 });
  });

  it("how long a wake that was due had to wait", async () => {
    const { id: agentId } = await insertAgent(store, { state: "SLEEPING" });
    await store.wakes.add(wake({ key: "w", agentId, createdAt: 1000, dueAt: 2000 }));
    await store.wakes.add(wake({ key: "v", agentId, createdAt: 1000, dueAt: 2000 }));
    const [first, second] = await store.wakes.due(2000, [agentId]);
    await store.wakes.settle([first?.id ?? 0], "delivered", 2250);
    await store.wakes.settle([second?.id ?? 0], "dropped", 9000);
    expect(await counted("wake_seconds_sum")).toEqual(["0.25"]);
  });

  it("limits that stopped an agent, once each time", async () => {
    const before = await insertAgent(store);
    const after = await store.records.save("agent", before, { ...before, breaker: "max_turns" });
    await store.records.save("agent", after, { ...after, reason: "more" });
    expect(await counted("breakers_total")).toEqual(["max_turns 1"]);
  });

  it("tool calls, by how they ended", async () => {
    const { id: agentId } = await insertAgent(store);
    const begun = { agentId, tool: "commit", input: "{}", turn: 1, at: 1 };
    for (const toolCallId of ["a", "b", "c"]) await store.toolCalls.start({ ...begun, toolCallId });
    await store.toolCalls.end({ agentId, toolCallId: "a", status: "success", output: "", at: 2 });
    await store.toolCalls.end({ agentId, toolCallId: "a", status: "success", output: "", at: 2 });
    await store.toolCalls.wait({ agentId, toolCallId: "b", asked: "h" });
    await store.toolCalls.deny({ agentId, asked: "h", output: "no", at: 2 });
    await store.toolCalls.interrupt({ agentId, neverRan: "It never ran.", at: 3 });
    expect(await counted("tool_calls_total")).toEqual(["success 1", "denied 1", "interrupted 1"]);
  });
});
