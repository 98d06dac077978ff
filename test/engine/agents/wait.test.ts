import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { StaleSnapshot } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";

const KEY = "acme/shop:feat-dev-issue-1";
const slow: RigOptions = { script: [on(1, slowly(MINUTE, edit()), ...work.slice(1))] };

async function started(options: RigOptions = slow): Promise<Rig> {
  const rig = await aRig(options);
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

function wait(
  rig: Rig,
  states: readonly string[],
  options: { withinMs?: number; signal?: AbortSignal } = {},
) {
  const { withinMs = 10 * MINUTE, signal = new AbortController().signal } = options;
  return rig.engine.operations.wait({ agent: KEY, states, withinMs, signal });
}

it("is over at once where the state is there already", async () => {
  const rig = await started();
  expect(await wait(rig, ["SLEEPING", "ACTIVE"])).toEqual({
    reached: true,
    state: "ACTIVE",
    session: "running",
  });
  expect(await wait(rig, ["running"], { withinMs: 0 })).toMatchObject({ reached: true });
});

it("ends when the agent comes to the state", async () => {
  const rig = await started();
  const waiting = wait(rig, ["COMPLETED"]);
  rig.clock.advance(MINUTE);
  expect(await waiting).toEqual({ reached: true, state: "COMPLETED", session: "stopping" });
});

it("hears a change that is made between its look and its listening", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const find = methodOf(rig.store.records, "find");
  let looks = 0;
  rig.store.records.find = async (machine, where) => {
    const found = await find(machine, where);
    if (machine === "session") looks += 1;
    // What the first look has read is old before it comes back, and nothing happens any more after that.
    if (machine === "session" && looks === 1) await tell(rig, said(rig, 1, "/flotilla cancel"));
    return found;
  };
  expect(await wait(rig, ["CANCELLED"])).toMatchObject({ reached: true, state: "CANCELLED" });
  expect(looks).toBeGreaterThan(1);
});

it("ends when the agent ends otherwise, and says that the state will not come", async () => {
  const rig = await started();
  const waiting = wait(rig, ["ESCALATED"]);
  rig.clock.advance(MINUTE);
  expect(await waiting).toEqual({ reached: false, state: "COMPLETED", session: "stopping" });
});

it("ends at its deadline with the state last seen, and may be asked again", async () => {
  const rig = await started();
  const waiting = wait(rig, ["COMPLETED"], { withinMs: 10_000 }).catch((error: unknown) => error);
  await turn();
  rig.clock.advance(9_999);
  await rig.engine.tick();
  rig.clock.advance(1);
  expect(await waiting).toMatchObject({
    code: "wait_timeout",
    retryable: true,
    fault: { target: ["COMPLETED"], last: "ACTIVE (running)" },
  });
});

it("ends when it is cancelled, before or while it waits", async () => {
  const rig = await started();
  const gone = new AbortController();
  const waiting = wait(rig, ["COMPLETED"], { signal: gone.signal }).catch((error: unknown) => error);
  for (let round = 0; round < 20; round += 1) await turn();
  gone.abort();
  expect(await waiting).toMatchObject({
    code: "wait_cancelled",
    retryable: true,
    fault: { last: "ACTIVE (running)" },
  });
  await expect(wait(rig, ["COMPLETED"], { signal: gone.signal })).rejects.toMatchObject({
    code: "wait_cancelled",
  });
});

it("is not ended by a look that fails for a reason that passes", async () => {
  const rig = await started();
  let looks = 0;
  rig.onCall = (call) => {
    if (call !== "store.repositories.byName") return;
    looks += 1;
    if (looks === 1) throw new StaleSnapshot("agent", 1);
  };
  const waiting = wait(rig, ["ACTIVE"]);
  await rig.until("it has looked", () => looks === 1);
  await turn();
  rig.clock.advance(1000);
  expect(await waiting).toMatchObject({ reached: true });
});

it("is ended by a look that fails for good", async () => {
  const rig = await started();
  rig.onCall = (call) => {
    if (call === "store.repositories.byName") throw new Error("disk full");
  };
  await expect(wait(rig, ["COMPLETED"])).rejects.toThrow("disk full");
});

it("for an agent that nobody knows is refused", async () => {
  const rig = await aRig();
  await expect(wait(rig, ["COMPLETED"])).rejects.toMatchObject({ code: "not_found" });
});
