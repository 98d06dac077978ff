import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, answersTo, stateOf, toldTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, type Step, work } from "../scripts.ts";

const { runtime } = someSettings();
const ask = { runtime: { ...runtime, permissionMode: "ask" as const } };
const curl = call("bash", { command: "curl https://example.com/" });

/** An agent that asked about a call, and the call. */
async function asking(...steps: readonly Step[]): Promise<{ readonly rig: Rig; readonly approval: number }> {
  const rig = await aRig({ settings: ask, script: [on(1, curl, ...steps)] });
  await tell(rig, labeled(rig, 1));
  const { id, token } = await agentOf(rig);
  const [row] = await rig.store.approvals.asked(id, token);
  return { rig, approval: row?.id ?? 0 };
}

const verdict = { id: "click-1", by: "alice", reason: null };

it("lets exactly that call pass once after a person's word on the dashboard", async () => {
  const { rig, approval } = await asking(after("You are awake again", curl), edit(), ...work.slice(1));
  await rig.engine.operations.decideCall({ ...verdict, approval, verdict: "approve" });
  await rig.idle();
  expect(toldTo(rig)[1]).toContain("@alice lets this call pass once: bash");
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await rig.store.approvals.get(approval)).toMatchObject({ state: "used", decidedBy: "alice" });
});

it("tells the agent why the operator said no, and names nobody on GitHub for it", async () => {
  const { rig, approval } = await asking(after("You are awake again", curl), edit(), ...work.slice(1));
  const wish = { id: "click-1", by: "operator:dashboard", reason: "use the mirror" };
  await rig.engine.operations.decideCall({ ...wish, approval, verdict: "deny" });
  await rig.idle();
  expect(toldTo(rig)[1]).toContain("the operator says no to this call: bash");
  expect(toldTo(rig)[1]).not.toContain("@operator");
  expect(answersTo(rig)[1]).toContain("A person said no to this call: use the mirror");
  expect(await rig.store.approvals.get(approval)).toMatchObject({ state: "denied", decidedBy: wish.by });
});

it("refuses a word on a call that was decided, and on one that nobody asked about", async () => {
  const { rig, approval } = await asking(after("You are awake again", edit()), ...work.slice(1));
  const decide = (id: number, request = "click-1") =>
    rig.engine.operations.decideCall({ ...verdict, id: request, approval: id, verdict: "approve" });
  await decide(approval);
  await decide(approval);
  await expect(decide(approval, "click-2")).rejects.toMatchObject({ code: "invalid_state" });
  await expect(decide(approval + 1, "click-3")).rejects.toMatchObject({ code: "not_found" });
});
