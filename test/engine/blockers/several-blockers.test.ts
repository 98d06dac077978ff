import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, decisionsOn, historyOf, stateOf, statusComments, toldTo } from "../look.ts";
import { blockerChanged, closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, edit, on, work } from "../scripts.ts";

/** Issue 1 waits for 2, which its agent reports, and for 3, which a person said on GitHub. */
async function waiting(): Promise<Rig> {
  const rig = await aRig({
    script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  await rig.engine.handle(labeled(rig, 1));
  rig.repository.blockedBy.set(1, new Set([3]));
  await rig.idle();
  expect(await stateOf(rig)).toBe("SLEEPING");
  return rig;
}

it.each([
  [2, 3],
  [3, 2],
])("wakes when the last blocker is closed, #%i before #%i, and is told of both", async (first, last) => {
  const rig = await waiting();
  const notPlanned = closed(rig, first);
  await tell(rig, { ...notPlanned, issue: { ...notPlanned.issue, stateReason: "not_planned" } });
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig)).toContain("open_blocker");
  expect(statusComments(rig).at(-1)).toContain(`still blocked by #${last}`);
  await tell(rig, closed(rig, last));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]);
  expect(toldTo(rig)[1]).toContain(`#${first}, which blocked you, was closed as not planned.`);
  expect(toldTo(rig)[1]).toContain(`#${last}, which blocked you, was closed.`);
  expect((await agentOf(rig)).wakes).toBe(1);
});

it("wakes within reconcile_every when no webhook told of the last", async () => {
  const rig = await waiting();
  await tell(rig, closed(rig, 2));
  closed(rig, 3);
  await rig.pass(5 * MINUTE);
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("wakes when a person takes off the last", async () => {
  const rig = await waiting();
  await tell(rig, closed(rig, 2));
  rig.repository.blockedBy.get(1)?.delete(3);
  await tell(rig, blockerChanged(rig, 1, 3, { added: false }));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("waits for one that a person adds while it sleeps", async () => {
  const rig = await aRig({
    issues: 4,
    script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  rig.repository.blockedBy.get(1)?.add(4);
  await tell(rig, blockerChanged(rig, 1, 4, { added: true }));
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await tell(rig, closed(rig, 4));
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("is woken by a person's message all the same, with what is closed so far", async () => {
  const rig = await waiting();
  await tell(rig, closed(rig, 2), said(rig, 1, "@flotilla work without #3"));
  expect(toldTo(rig)[1]).toContain("#2, which blocked you, was closed.");
  expect(toldTo(rig)[1]).toContain("work without #3");
});

it("waits for the last on a server without dependencies too, where only the agents' word is known", async () => {
  const rig = await aRig({
    script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  const unsupported = new GitHubError("unsupported", "no such API", 404, { consequence: "stop" });
  rig.github.blockedBy = () => Promise.reject(unsupported);
  rig.github.addBlockedBy = () => Promise.reject(unsupported);
  await tell(rig, labeled(rig, 1));
  const row = await rig.store.blockers.get(7, 1);
  expect(row?.blockers).toEqual([{ repository: "acme/shop", number: 2, open: true }]);
  closed(rig, 2);
  await rig.pass(5 * MINUTE);
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect((await rig.store.blockers.get(7, 1))?.blockers).toEqual([
    { repository: "acme/shop", number: 2, open: false },
  ]);
});

it("keeps a task list in the status comment where the server has no dependencies, and reads it back", async () => {
  const rig = await aRig({
    script: [on(1, blocked(2), after("which blocked you", edit()), ...work.slice(1))],
  });
  const unsupported = new GitHubError("unsupported", "no such API", 404, { consequence: "stop" });
  rig.github.blockedBy = () => Promise.reject(unsupported);
  rig.github.addBlockedBy = () => Promise.reject(unsupported);
  await tell(rig, labeled(rig, 1));
  await rig.pass(5 * MINUTE);
  expect(statusComments(rig).at(-1)).toContain("- [ ] blocked by acme/shop#2");
  const rewrite = (change: (body: string) => string) => {
    const status = rig.repository.comments.get(1)?.find(({ body }) => body.startsWith("### Flotilla"));
    if (status !== undefined) Object.assign(status, { body: change(status.body) });
  };
  const line = "- [ ] blocked by acme/shop#2";
  // A person adds one by hand: the last counts.
  rewrite((body) => body.replace(line, `${line}\n- [ ] blocked by acme/shop#3`));
  await rig.pass(5 * MINUTE);
  await tell(rig, closed(rig, 2));
  expect(await stateOf(rig)).toBe("SLEEPING");
  await rig.pass(5 * MINUTE);
  expect(statusComments(rig).at(-1)).toContain("- [x] blocked by acme/shop#2\n- [ ] blocked by acme/shop#3");
  rewrite((body) => body.replace("- [ ] blocked by acme/shop#3", "- [x] blocked by acme/shop#3"));
  await rig.pass(5 * MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain("#3, which blocked you, was ticked off in the status comment.");
});
