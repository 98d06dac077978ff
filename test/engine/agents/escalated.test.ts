import { expect, it } from "vitest";
import { isStateLabel } from "../../../src/domain/tasks/state-label.ts";
import {
  agentOf,
  commentsOn,
  decisionsOn,
  historyOf,
  runOf,
  sessionsOf,
  stateOf,
  taskOf,
  toldTo,
} from "../look.ts";
import { labeled, said, tell, unlabeled } from "../people.ts";
import { aRig, OUR_SECRET } from "../rig.ts";
import { after, commit, complete, edit, escalate, on, onAttempt, openPr, work } from "../scripts.ts";

const asks = on(1, escalate, after("You are awake again", edit()), commit, openPr, complete);

async function escalated() {
  const rig = await aRig({ script: [onAttempt(1, 2, ...work), asks] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

it("asks a person: label, comment with reason and question, mention, free slot", async () => {
  const rig = await escalated();
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "decision" });
  expect(rig.repository.issues.get(1)?.labels).toContain("needs-human");
  const comment = commentsOn(rig).join();
  expect(comment).toContain("Two specs contradict each other");
  expect(comment).toContain("Which one holds?");
  expect(comment).toContain("@oncall");
  expect(await rig.store.records.slotsInUse()).toBe(0);
  expect((await runOf(rig))?.state).toBe("waiting_input");
  expect((await taskOf(rig))?.state).toBe("CLAIMED");
});

it("has the one label of what waits for a person, which starts nothing, and loses what an earlier version set beside it", async () => {
  const rig = await escalated();
  const labels = () => rig.repository.issues.get(1)?.labels.filter((label) => !isStateLabel(label));
  expect(labels()).toEqual(["feature", "needs-human"]);
  expect(commentsOn(rig).join()).toContain(
    "**feat-dev** needs a person: the issue leaves a decision to you.",
  );
  await tell(rig, labeled(rig, 1, { label: "needs-human", own: true }));
  expect(await decisionsOn(rig)).toEqual(["escalation_label"]);
  const issue = rig.repository.issues.get(1);
  if (issue !== undefined) issue.labels = [...issue.labels, "escalation:decision", "escalation:sev1"];
  await tell(rig, said(rig, 1, "The second spec holds."));
  // Its work is done now, and waits for a person's review.
  expect(labels()?.toSorted()).toEqual(["escalation:sev1", "feature", "needs-human"]);
});

it("shows a person the last steps without secrets, the branch and the diff", async () => {
  const script = [on(1, edit(), commit, openPr, edit(`${OUR_SECRET}.ts`), escalate)];
  const rig = await aRig({ script });
  await tell(rig, labeled(rig, 1));
  const comment = commentsOn(rig).join();
  expect(comment).toMatch(/\*\*Its last steps\*\*\n\n(- turn \d: `\w+`, \w+: `.*`\n){4,5}/);
  expect(comment).toContain("[redacted]");
  expect(comment).not.toContain(OUR_SECRET);
  expect(comment).toContain("[diff](/acme/shop/compare/main...flotilla/feat-dev/issue-1)");
  const [pull = 0] = rig.repository.pulls.keys();
  expect(comment).toContain(`#${pull}, transcript (the operator prints it with `);
  expect(comment).toContain("`flotilla agents transcript acme/shop:feat-dev-issue-1`");
});

it("continues from the answer in the same conversation", async () => {
  const rig = await escalated();
  await tell(rig, said(rig, 1, "The second spec holds."));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "ESCALATED", "ACTIVE", "COMPLETED"]);
  expect(await sessionsOf(rig)).toMatchObject([{ lives: 2 }]);
  expect(toldTo(rig)[1]).toContain("The second spec holds.");
});

it.each(["/flotilla resume", "/flotilla continue", "/flotilla answer The second."])(
  "continues after `%s`",
  async (command) => {
    const rig = await escalated();
    await tell(rig, said(rig, 1, command));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(rig.repository.reactions).toMatchObject([{ reaction: "+1" }]);
  },
);

it("continues when a person removes the label", async () => {
  const rig = await escalated();
  await tell(rig, unlabeled(rig, 1, "needs-human"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("takes the label in any case for the one that is configured, as GitHub does", async () => {
  const settings = { escalation: { label: "Ask A Person", notify: [] } };
  const rig = await aRig({ settings, script: [asks] });
  rig.repository.labels.set("Ask A Person", "fbca04");
  await tell(rig, labeled(rig, 1));
  expect(rig.repository.issues.get(1)?.labels).toContain("Ask A Person");
  await tell(rig, labeled(rig, 1, { label: "ask a person", own: true }));
  expect(await decisionsOn(rig)).toEqual(["escalation_label"]);
  await tell(rig, unlabeled(rig, 1, "ask a person"));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("stays when a person without permission answers or removes the label", async () => {
  const rig = await escalated();
  await tell(rig, said(rig, 1, "Take the first!", { by: "eve" }));
  await tell(rig, unlabeled(rig, 1, "needs-human", { by: "eve" }));
  await tell(rig, said(rig, 1, "/flotilla resume", { by: "eve" }));
  expect(await stateOf(rig)).toBe("ESCALATED");
});

it("ends at `/flotilla cancel` and gives the task back", async () => {
  const rig = await escalated();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect((await taskOf(rig))?.state).toBe("UNCLAIMED");
  expect(commentsOn(rig).join()).toContain("@alice cancelled it");
  expect(rig.repository.issues.get(1)?.labels).not.toContain("needs-human");
});

it("begins a second attempt at `/flotilla retry`; the first keeps its state", async () => {
  const rig = await escalated();
  await tell(rig, said(rig, 1, "/flotilla retry"));
  expect(await stateOf(rig)).toBe("CANCELLED");
  expect(await agentOf(rig, "feat-dev-issue-1.2")).toMatchObject({
    state: "COMPLETED",
    attempt: 2,
    branch: "flotilla/feat-dev/issue-1-2",
  });
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
});

it("takes the work as it is at `/flotilla complete`", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, escalate)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla complete"));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await runOf(rig))?.state).toBe("succeeded");
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
});

it("answers an unknown command with the nearest one, and changes nothing", async () => {
  const rig = await escalated();
  await tell(rig, said(rig, 1, "/flotilla resum"));
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(commentsOn(rig).join()).toContain("Did you mean `/flotilla resume`?");
});
