import { expect, it } from "vitest";
import { ledgerRows } from "../../adapters/store/ledger-rows.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf } from "../look.ts";
import { assigned, labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, work } from "../scripts.ts";
import { act, asleep, ended, KEY } from "../under-operation.ts";

/** What the ledger counts as done by people for issue 1. */
async function touches({ store }: Rig): Promise<readonly string[]> {
  const { touches: rows } = await ledgerRows(store, 0);
  return rows.filter(({ issue }) => issue === 1).map(({ kind }) => kind);
}

it("counts what the operator does to an agent as a person's touch, once for each request", async () => {
  const rig = await asleep();
  const before = (await touches(rig)).length;
  const news = async () => (await touches(rig)).slice(before);
  await rig.engine.operations.pause({ ...act, id: "a" });
  expect(await news()).toEqual(["command"]);
  await rig.engine.operations.resume({ ...act, id: "b" });
  expect(await news()).toEqual(["command", "command"]);
  await rig.engine.operations.send({ agent: KEY, id: "c", text: "Use port 80." });
  await rig.engine.operations.send({ agent: KEY, id: "c", text: "Use port 80." });
  expect(await news()).toEqual(["command", "command", "comment"]);
  await rig.engine.operations.kill({ ...act, id: "d" });
  expect(await news()).toEqual(["command", "command", "comment", "command"]);
});

it("counts no act that was refused", async () => {
  const rig = await ended();
  const before = await touches(rig);
  for (const refused of ["pause", "resume", "kill", "revive"] as const)
    await expect(rig.engine.operations[refused](act)).rejects.toMatchObject({ name: "OperationError" });
  expect(await touches(rig)).toEqual(before);
});

it("counts no new attempt that is held up", async () => {
  const rig = await asleep();
  await rig.engine.operations.kill({ ...act, id: "kill" });
  await rig.engine.handle(assigned(rig, 1, "bob"));
  const before = await touches(rig);
  const revive = rig.engine.operations.revive({ ...act, id: "revive" });
  await expect(revive).rejects.toMatchObject({ code: "policy_denied" });
  expect(await touches(rig)).toEqual(before);
});

it("counts a person's word on a call, and not what the agent did with it", async () => {
  const { runtime } = someSettings();
  const curl = call("bash", { command: "curl https://example.com/" });
  const rig = await aRig({
    settings: { runtime: { ...runtime, permissionMode: "ask" } },
    script: [on(1, curl, after("You are awake again", curl), edit(), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  const { id, token } = await agentOf(rig);
  const [row] = await rig.store.approvals.asked(id, token);
  const before = await touches(rig);
  const wish = {
    approval: row?.id ?? 0,
    verdict: "approve",
    id: "click",
    by: "alice",
    reason: null,
  } as const;
  await rig.engine.operations.decideCall(wish);
  await rig.idle();
  expect(await touches(rig)).toEqual([...before, "approval"]);
});
