import { expect, it } from "vitest";
import { agentOf } from "./look.ts";
import { labeled, tell } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { on, work } from "./scripts.ts";

const act = { agent: "acme/shop:feat-dev-issue-1", id: "a1", by: "operator:root", reason: null };

async function ended(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("is a decision about its agent, with what would change it", async () => {
  const rig = await ended();
  await expect(rig.engine.operations.kill(act)).rejects.toMatchObject({ code: "dead_agent" });
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 1);
  expect(decision).toMatchObject({
    rule: "operation_dead_agent",
    agentId: (await agentOf(rig)).id,
    inputs: { operation: "kill", state: "COMPLETED" },
  });
  expect(decision?.reason).toContain("the operator's kill was refused");
  expect(decision?.change).toContain("revive");
});

it("is told only to the operator when there is no such agent", async () => {
  const rig = await ended();
  const before = await rig.store.decisions.ofIssue(7, 1, 100);
  const nobody = { ...act, agent: "acme/shop:docs-dev-issue-1" };
  await expect(rig.engine.operations.kill(nobody)).rejects.toMatchObject({ code: "not_found" });
  expect(await rig.store.decisions.ofIssue(7, 1, 100)).toEqual(before);
});
