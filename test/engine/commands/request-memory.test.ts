import { expect, it } from "vitest";
import { RequestMemory } from "../../../src/engine/commands/request-memory.ts";
import { agentOf } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";
import { act, asleep, KEY } from "../under-operation.ts";

it("carries the same request out once, also when others came between", async () => {
  const rig = await asleep();
  const { operations } = rig.engine;
  const first = await operations.pause({ ...act, id: "a" });
  await operations.resume({ ...act, id: "b" });
  expect(await operations.pause({ ...act, id: "a" })).toEqual(first);
  expect(await operations.resume({ ...act, id: "b" })).toMatchObject({ heldBy: [] });
  expect(await agentOf(rig)).toMatchObject({ heldBy: [] });
  await operations.pause({ ...act, id: "c" });
  expect(await agentOf(rig)).toMatchObject({ heldBy: ["person"] });
});

it("makes one attempt of a request that is sent twice at once", async () => {
  const rig = await asleep();
  await rig.engine.operations.kill(act);
  const [one, other] = await Promise.all([
    rig.engine.operations.revive({ ...act, id: "a" }),
    rig.engine.operations.revive({ ...act, id: "a" }),
  ]);
  expect(one.name).toBe("feat-dev-issue-1.2");
  expect(other.name).toBe(one.name);
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(2);
});

it("does so with a pause of everything, and with one that has no name each time", async () => {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const { operations } = rig.engine;
  const wish = { scope: "all", by: "operator:root", reason: null } as const;
  const paused = async () => (await rig.store.scopePauses.list()).length;
  expect(await operations.resumeScope({ scope: "all", by: "alice", id: "r0" })).toBe(false);
  await operations.pauseScope({ ...wish, id: "p" });
  expect(await operations.resumeScope({ scope: "all", by: "alice", id: "r0" })).toBe(true);
  await operations.pauseScope({ ...wish, id: "p" });
  expect(await paused()).toBe(0);
  await operations.pauseScope(wish);
  expect(await paused()).toBe(1);
  await operations.resumeScope({ scope: "all", by: "alice" });
  await operations.pauseScope(wish);
  expect(await paused()).toBe(1);
});

it("tries again what was refused, and remembers the last thousand", async () => {
  const once = new RequestMemory();
  let done = 0;
  const work = async () => (done += 1);
  await expect(once.do("pause", { id: "0" }, () => Promise.reject(new Error("not now")))).rejects.toThrow(
    "not now",
  );
  for (let id = 0; id <= 1000; id += 1) await once.do("pause", { id: `${id}` }, work);
  expect(done).toBe(1001);
  await once.do("pause", { id: "1" }, work);
  expect(done).toBe(1001);
  await once.do("pause", { id: "0" }, work);
  expect(done).toBe(1002);
});

it("refuses an id that another operation, agent or body has had, and carries nothing out", async () => {
  const rig = await asleep();
  const { operations } = rig.engine;
  await operations.pause({ ...act, id: "R2" });
  const refused = {
    code: "id_reused",
    retryable: false,
    message: "the id R2 was used for another request",
    hint: "send this request with an id of its own; an id is for repeating the same request",
  };
  const others = [
    operations.resume({ ...act, id: "R2" }),
    operations.pause({ ...act, id: "R2", reason: "later" }),
    operations.kill({ ...act, id: "R2", agent: `${KEY}.2` }),
    operations.send({ agent: KEY, id: "R2", text: "Use port 80." }),
    operations.set({ ...act, id: "R2", set: ["tag=a"] }),
    operations.resumeScope({ scope: "all", by: "alice", id: "R2" }),
    operations.replayEffect({ effect: 1, by: "operator:root", id: "R2" }),
  ];
  for (const other of others) await expect(other).rejects.toMatchObject(refused);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", heldBy: ["person"], tags: [] });
});

it("refuses another body while the first request is under way", async () => {
  const rig = await asleep();
  const [one, other] = await Promise.allSettled(
    ["tag=a", "tag=b"].map((set) => rig.engine.operations.set({ ...act, id: "R1", set: [set] })),
  );
  expect([one, other]).toMatchObject([{ status: "fulfilled" }, { reason: { code: "id_reused" } }]);
  expect(await agentOf(rig)).toMatchObject({ tags: ["a"] });
});

it("tells another message with the id of one from before a restart, and the same one not again", async () => {
  const rig = await asleep();
  const say = (text: string) => rig.engine.operations.send({ agent: KEY, id: "m", text });
  await rig.engine.operations.pause(act);
  await say("Use port 80.");
  await expect(say("Use port 81.")).rejects.toMatchObject({ code: "id_reused" });
  await rig.restart();
  await say("Use port 80.");
  await rig.restart();
  await say("Use port 81.");
  const { id } = await agentOf(rig);
  const told = (await rig.store.wakes.pending(id)).map(({ detail }) => detail);
  expect(told).toEqual(["The operator says:\n\nUse port 80.", "The operator says:\n\nUse port 81."]);
});
