import { expect, it } from "vitest";
import { NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";
import { advance } from "../../../src/engine/kernel/advance.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { byHand } from "../../reach/record.ts";
import { commentsOn, statusComments } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { commit, complete, edit, escalate, on, openPr } from "../scripts.ts";

/** A fact of the present moment on issue 1 that asks for one comment. */
async function fact(rig: Rig, name: string | null, body: string): Promise<void> {
  await rig.store.repositories.put(aRepository());
  const effects = [{ kind: "post_comment", name: body, body }] as const;
  const where = { repositoryId: REPOSITORY.id, issue: 1, delivery: null };
  await byHand(() =>
    advance(rig.context, { ...where, at: rig.clock.now(), name, changes: { ...NO_CHANGES, effects } }),
  );
  await rig.idle();
}

it("two facts of one moment on one issue each have their effects, and one fact has them once", async () => {
  const rig = await aRig();
  await fact(rig, "effect-1", "one");
  await fact(rig, "effect-2", "two");
  await fact(rig, "effect-1", "one");
  expect(commentsOn(rig).map((body) => body.split("\n")[0])).toEqual(["one", "two"]);
});

it("a fact that nothing names cannot have effects, and leaves nothing", async () => {
  const rig = await aRig();
  await expect(fact(rig, null, "one")).rejects.toThrow("a request with effects needs `name` or `delivery`");
  expect(await rig.store.effects.find({})).toEqual([]);
});

it("two acts of an operator in one moment are both told on the issue", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const issue = rig.repository.issues.get(1);
  if (issue === undefined) throw new Error("there is no issue");
  const revive = (id: string) =>
    rig.engine.operations.revive({
      agent: "acme/shop:feat-dev-issue-1",
      id,
      by: "operator:root",
      reason: null,
    });
  issue.assignees = [{ login: "bob", type: "User", id: 2 }];
  await expect(revive("a1")).rejects.toMatchObject({ fault: { rule: "assigned" } });
  await rig.idle();
  expect(statusComments(rig).at(-1)).toContain("assigned to `@bob`");
  issue.state = "closed";
  await expect(revive("a2")).rejects.toMatchObject({ fault: { rule: "closed" } });
  await rig.idle();
  expect(statusComments(rig).at(-1)).toContain("#1 is closed");
});

it("what follows from an effect is named by it", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  const opened = await rig.store.effects.find({ kind: "open_pr" });
  const told = (await rig.store.effects.find({ kind: "status_comment" })).map(({ key }) => key);
  expect(opened).toHaveLength(1);
  for (const { id } of opened) expect(told).toContain(`effect-${id}:7#1:0:status_comment`);
});
