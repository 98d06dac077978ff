import { expect, it } from "vitest";
import { agentOf } from "../look.ts";
import { act, ended } from "../under-operation.ts";

it("is a decision about its agent, with what would change it", async () => {
  const rig = await ended();
  await expect(rig.engine.operations.kill(act)).rejects.toMatchObject({ code: "dead_agent" });
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 1);
  expect(decision).toMatchObject({
    rule: "operation_refused",
    agentId: (await agentOf(rig)).id,
    inputs: { operation: "kill", state: "COMPLETED", code: "dead_agent" },
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
