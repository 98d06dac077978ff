import { describe, expect, it } from "vitest";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf, taskOf } from "../look.ts";
import { assigned, closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { edit, escalate, on, onAttempt, slowly, work } from "../scripts.ts";
import { act, asleep, ended, KEY } from "../under-operation.ts";

describe("revive", () => {
  const again = { script: [onAttempt(1, 2, ...work), on(1, slowly(MINUTE, edit()))] };

  it("starts a new attempt of one that was killed", async () => {
    const rig = await aRig(again);
    await rig.engine.handle(labeled(rig, 1));
    await rig.engine.operations.kill(act);
    expect(await rig.engine.operations.revive({ ...act, id: "again" })).toMatchObject({
      name: "feat-dev-issue-1.2",
      attempt: 2,
    });
    await rig.idle();
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
    expect(await stateOf(rig)).toBe("CANCELLED");
  });

  it("ends an escalated one first", async () => {
    const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, escalate)] });
    await tell(rig, labeled(rig, 1));
    await rig.engine.operations.revive({ ...act, id: "again" });
    await rig.idle();
    expect(await agentOf(rig)).toMatchObject({
      state: "CANCELLED",
      reason: "the operator asked for a new attempt",
    });
    expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  });

  it("waits in CREATED when no slot is free, which is no refusal", async () => {
    const { runtime } = someSettings();
    const rig = await aRig({
      settings: { runtime: { ...runtime, maxConcurrentAgents: 1 } },
      script: [on(1, slowly(MINUTE, edit())), on(2, slowly(MINUTE, edit()))],
    });
    await rig.engine.handle(labeled(rig, 1));
    await rig.engine.operations.kill(act);
    await rig.engine.handle(labeled(rig, 2));
    await rig.until("the other works", async () => (await stateOf(rig, "feat-dev-issue-2")) === "ACTIVE");
    expect(await rig.engine.operations.revive({ ...act, id: "again" })).toMatchObject({ state: "CREATED" });
  });

  it("is refused while the agent lives, while another works, and by what holds up every start", async () => {
    const rig = await asleep();
    await expect(rig.engine.operations.revive({ ...act, id: "again" })).rejects.toMatchObject({
      code: "invalid_state",
    });
    await rig.engine.operations.kill(act);
    await rig.engine.handle(assigned(rig, 1, "bob"));
    await expect(rig.engine.operations.revive({ ...act, id: "again" })).rejects.toMatchObject({
      code: "policy_denied",
      fault: { rule: "assigned" },
    });
    expect(await decisionsOn(rig)).toContain("assigned");
    assignedToNobody(rig);
    await rig.engine.operations.revive({ ...act, id: "again" });
    await expect(rig.engine.operations.revive({ ...act, id: "a2" })).rejects.toMatchObject({
      code: "agent_already_running",
      fault: { agent: "feat-dev-issue-1.2" },
    });
    await tell(rig, closed(rig, 1));
    await expect(rig.engine.operations.revive({ ...act, id: "a3", agent: `${KEY}.2` })).rejects.toMatchObject(
      {
        fault: { rule: "closed" },
      },
    );
  });

  it("of a completed one is refused: its issue is reopened instead", async () => {
    const rig = await ended();
    await expect(rig.engine.operations.revive({ ...act, id: "again" })).rejects.toMatchObject({
      code: "invalid_state",
      fault: { state: "COMPLETED" },
    });
    await tell(rig, said(rig, 1, "/flotilla status"));
  });
});

function assignedToNobody(rig: Rig): void {
  const issue = rig.repository.issues.get(1);
  if (issue !== undefined) issue.assignees = [];
}
