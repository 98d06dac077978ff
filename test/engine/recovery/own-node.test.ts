import { expect, it } from "vitest";
import { CLAIM } from "../../factories/leases.ts";
import { newDelivery } from "../../webhooks/memory-inbox.ts";
import { agentOf, sessionsOf, stateOf } from "../look.ts";
import { labeled } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { edit, on } from "../scripts.ts";

const OTHER = { token: "other", node: "elsewhere" };
const SECOND = "feat-dev-issue-2";

/** Two agents at work, of which the second is another node's; and a delivery that this node claims. */
async function twoNodes(alone: boolean): Promise<Rig> {
  const slow = { ...edit(), delayMs: 1000 };
  const rig = await aRig({ alone, script: [on(1, slow), on(2, slow)] });
  for (const issue of [1, 2]) await rig.engine.handle(labeled(rig, issue));
  await rig.until("both talk", () => rig.runtime.requests.length === 2);
  rig.life.end();
  const second = await agentOf(rig, SECOND);
  for (const { id: agentId } of [await agentOf(rig), second])
    await rig.store.toolCalls.start({ agentId, toolCallId: "c", tool: "bash", input: "{}", turn: 1, at: 1 });
  await rig.store.records.save("agent", second, { ...second, node: OTHER.node });
  await rig.store.deliveries.insert(["mine", "theirs"].map((guid) => newDelivery(guid, { lane: guid })));
  const now = rig.clock.now();
  await rig.store.deliveries.claim({ ...CLAIM, node: rig.context.node, now, limit: 1 });
  await rig.store.deliveries.claim({ ...CLAIM, ...OTHER, now, limit: 1 });
  return rig;
}

it("puts to rest and reaps what is of this node, and leaves the work of others alone", async () => {
  const rig = await twoNodes(false);
  const reaped: string[] = [];
  rig.runtime.reap = (sessions) => {
    reaped.push(...sessions.map(({ sessionId }) => sessionId));
    return Promise.resolve(0);
  };
  const killed: string[] = [];
  rig.runner.killMarked = (marks) => {
    killed.push(...marks);
    return Promise.resolve(0);
  };
  await rig.restart();
  const [mine] = await sessionsOf(rig);
  expect(reaped).toEqual([mine?.sessionId, `${mine?.sessionId}-evaluation`]);
  expect(killed).toHaveLength(1);
  const calls = async (name?: string) => rig.store.toolCalls.ofAgent((await agentOf(rig, name)).id);
  expect([await calls(), await calls(SECOND)]).toMatchObject([
    [{ status: "interrupted" }],
    [{ status: "pending" }],
  ]);
  expect(await agentOf(rig)).toMatchObject({ sleepReason: "restart" });
  expect(await stateOf(rig, SECOND)).toBe("ACTIVE");
  expect(await rig.store.deliveries.list({ state: "claimed" }, 9)).toMatchObject([{ guid: "theirs" }]);
});

it("takes everything for its own where no other node uses the database", async () => {
  const rig = await twoNodes(true);
  await rig.restart();
  expect(await agentOf(rig, SECOND)).toMatchObject({ sleepReason: "restart" });
  expect(await rig.store.deliveries.list({ state: "claimed" }, 9)).toEqual([]);
});
