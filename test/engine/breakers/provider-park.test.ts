import { expect, it } from "vitest";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { edit, on, type Step, slowly, work } from "../scripts.ts";

const name = (issue: number) => `feat-dev-issue-${issue}`;
const limited = (message = "Slow down.", status = 429): Step => ({ error: { status, message } });

/** The provider answers nobody until the rig's clock reaches `until`; then everybody. */
function outage(rig: Rig, lasts: number, message = "Slow down."): () => number {
  const until = rig.clock.now() + lasts;
  let refused = 0;
  const open = rig.runtime.open.bind(rig.runtime);
  rig.runtime.open = async (spec) => {
    const session = await open(spec);
    return {
      ...session,
      exchange: (prompt, options) => {
        if (rig.clock.now() >= until) return session.exchange(prompt, options);
        refused += 1;
        spec.onEvent({ type: "turn_started", turnId: "0" });
        return Promise.resolve({
          kind: "model_error",
          reason: "rate_limit",
          consequence: "park",
          status: 429,
          retryAfterMs: message === "Slow down." ? undefined : 10 * MINUTE,
          detail: message,
        });
      },
    };
  };
  return () => refused;
}

const wholeWork = (...issues: readonly number[]) => issues.map((issue) => on(issue, ...work));

it("lets one failure put all agents to sleep at their next turn, each with its place in the line", async () => {
  const slow = [slowly(MINUTE, edit()), ...work.slice(1)];
  const rig = await aRig({ script: [on(1, limited()), on(2, ...slow), on(3, ...slow)] });
  await rig.engine.handle(labeled(rig, 2));
  await rig.engine.handle(labeled(rig, 3));
  await rig.until("two talk", () => rig.runtime.requests.length === 2);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is parked", async () => (await agentOf(rig, name(1))).state === "SLEEPING");
  rig.clock.advance(MINUTE);
  await rig.until("they sleep", async () =>
    (await Promise.all([2, 3].map((issue) => stateOf(rig, name(issue))))).every(
      (state) => state === "SLEEPING",
    ),
  );
  const agents = await rig.store.records.find("agent", {});
  expect(agents.map(({ sleepReason }) => sleepReason)).toEqual(Array(3).fill("provider_limit"));
  expect(agents.map(({ dueAt }) => (dueAt ?? 0) - (agents[0]?.dueAt ?? 0))).toEqual([0, 2_000, 4_000]);
  // Each had one answer before; the turn that was refused is not counted.
  expect(agents.map(({ turns, restarts, wakes }) => [turns, restarts, wakes])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
    [0, 0, 0],
  ]);
});

it("starts nobody meanwhile, and says until when", async () => {
  const rig = await aRig({ script: wholeWork(1, 2) });
  const refused = outage(rig, 30_000);
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  expect(await stateOf(rig, name(2))).toBe("CREATED");
  expect(await decisionsOn(rig, 2)).toEqual(["provider"]);
  const [decision] = await rig.store.decisions.ofIssue(7, 2, 1);
  expect(decision).toMatchObject({
    reason: `the model provider is not asked before ${new Date(rig.clock.now() + MINUTE).toISOString()}: it answered 429 (rate_limit)`,
    change: "it continues automatically when the model provider answers again",
  });
  expect(refused()).toBe(1);
});

it("asks with one agent when the pause is over; the others follow its answer one after another", async () => {
  const issues = [1, 2, 3, 4];
  const script = issues.map((issue) => on(issue, slowly(20_000, edit()), ...work.slice(1)));
  const rig = await aRig({ script, issues: 4 });
  const refused = outage(rig, MINUTE);
  for (const issue of issues) await tell(rig, labeled(rig, issue));
  expect(refused()).toBe(1);
  const active = async () => (await rig.store.records.find("agent", { state: "ACTIVE" })).length;
  rig.clock.advance(MINUTE + 10_000);
  await rig.engine.tick();
  await rig.until("one asks", () => rig.runtime.requests.length === 1);
  await rig.engine.tick();
  expect(await active()).toBe(1);
  rig.clock.advance(20_000);
  await rig.until(
    "it had its answer",
    async () => (await rig.store.providerParks.get("GitHub Copilot"))?.liftedAt != null,
  );
  for (let seconds = 0; seconds <= 60; seconds += 1) {
    rig.clock.advance(1_000);
    await rig.engine.tick();
    await rig.quiet();
  }
  await rig.idle();
  const agents = await rig.store.records.find("agent", {});
  expect(agents.map(({ state }) => state)).toEqual(Array(4).fill("COMPLETED"));
  const moves = await Promise.all(agents.map(({ id }) => rig.store.transitions.ofAgent(id)));
  const lifted = (await rig.store.providerParks.get("GitHub Copilot"))?.liftedAt ?? 0;
  const began = moves
    .flatMap((rows) => rows.findLast(({ machine, to }) => machine === "agent" && to === "ACTIVE")?.at ?? 0)
    .filter((at) => at > lifted)
    .toSorted((one, other) => one - other);
  expect(began.map((at, index) => at - (began[index - 1] ?? at) >= 1_000 || index === 0)).toEqual([
    true,
    true,
    true,
  ]);
  expect(refused()).toBe(1);
});

it("asks ever less often while the outage lasts, and counts nothing against the issues", async () => {
  const rig = await aRig({ script: wholeWork(1, 2, 3) });
  const refused = outage(rig, 3 * HOUR);
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  for (let minutes = 0; minutes < 3 * 60 - 5; minutes += 5) await rig.pass(5 * MINUTE);
  // 1, 2, 4, 8, 16 and then 30 minutes apart, one agent at a time.
  expect(refused()).toBeGreaterThan(6);
  expect(refused()).toBeLessThanOrEqual(10);
  for (const agent of await rig.store.records.find("agent", { state: "SLEEPING" }))
    expect(agent).toMatchObject({ turns: 0, wakes: 0, restarts: 0, extensions: 0 });
  for (let minutes = 0; minutes < 40; minutes += 5) await rig.pass(5 * MINUTE);
  const states = (await rig.store.records.find("agent", {})).map(({ state }) => state);
  expect(states).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
});

it("waits for as long as the provider says", async () => {
  const rig = await aRig({ script: wholeWork(1) });
  outage(rig, 9 * MINUTE, "Please try again in 10m0s.");
  await tell(rig, labeled(rig, 1));
  await rig.pass(10 * MINUTE - 1);
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("is still parked after a restart of the host", async () => {
  const rig = await aRig({ script: wholeWork(1, 2) });
  const refused = outage(rig, MINUTE);
  await tell(rig, labeled(rig, 1));
  await rig.restart();
  await tell(rig, labeled(rig, 2));
  expect(await stateOf(rig, name(2))).toBe("CREATED");
  expect(refused()).toBe(1);
  for (let minute = 0; minute < 3; minute += 1) await rig.pass(MINUTE);
  expect(await stateOf(rig, name(2))).toBe("COMPLETED");
});

it("lets another agent ask when the one that asked was cancelled", async () => {
  const rig = await aRig({ script: [on(1, slowly(HOUR, edit())), on(2, ...work)] });
  outage(rig, MINUTE);
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  await tell(rig, said(rig, 2, "/flotilla pause"));
  rig.clock.advance(MINUTE + 2_000);
  await rig.engine.tick();
  await rig.until("the first asks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(said(rig, 2, "/flotilla resume"));
  await rig.engine.tick();
  expect(await stateOf(rig, name(2))).toBe("CREATED");
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await stateOf(rig, name(1))).toBe("CANCELLED");
  expect(await stateOf(rig, name(2))).toBe("COMPLETED");
});

it("charges no working time for a call that came to nothing, and all before it", async () => {
  const script = [on(1, slowly(MINUTE, edit()), slowly(5 * MINUTE, limited()))];
  const rig = await aRig({ script });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  rig.clock.advance(MINUTE);
  await rig.until("it talks again", () => rig.runtime.requests.length === 2);
  rig.clock.advance(5 * MINUTE);
  await rig.until("it sleeps", async () => (await stateOf(rig)) === "SLEEPING");
  expect(await agentOf(rig)).toMatchObject({ activeMs: MINUTE, turns: 1 });
});
