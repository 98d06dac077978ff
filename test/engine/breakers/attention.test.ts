import { describe, expect, it } from "vitest";
import type { Level } from "../../../src/domain/access/level.ts";
import { awaitingPulls } from "../../../src/engine/breakers/attention.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, decisionsOn, stateOf, statusComments } from "../look.ts";
import { labeled, pullClosed, reviewed, tell } from "../people.ts";
import type { Rig } from "../rig.ts";
import { commit, complete, edit, on, onAttempt, work } from "../scripts.ts";
import { underReview } from "../together/reviewing.ts";
import { done, host, pullOf, taskDoes } from "../together/work-under-way.ts";

const ONE = { settings: { attention: { openPrs: 1 } } };
/** The last one that is needed, of the commit that is put there. */
const APPROVAL = {
  reviewer: "alice",
  account: 5,
  author: "feat-dev-issue-1",
  commit: "d".repeat(40),
  reviewers: 1,
  leaseToken: null,
};
const NEXT = "feat-dev-issue-2";

/** One pull request awaits people, which is as many as may; another issue gets its label. */
async function full(): Promise<Rig> {
  const rig = await done({ ...ONE, script: [on(2, ...work)] });
  await rig.pass(5 * MINUTE);
  await tell(rig, labeled(rig, 2));
  return rig;
}

describe("while as many pull requests await people as are allowed", () => {
  it("a new coder stays CREATED, and its status comment says why and where to begin", async () => {
    const rig = await full();
    expect(await stateOf(rig, NEXT)).toBe("CREATED");
    expect(await decisionsOn(rig, 2)).toContain("attention");
    const [status = ""] = statusComments(rig, 2);
    expect(status).toContain(
      "not started: too many pull requests wait for people, 1 pull request of ours awaits people",
    );
    expect(status).toMatch(
      new RegExp(`look first at #${pullOf(rig)} \\(of \\d{4}-\\d\\d-\\d\\d, 1 changed lines\\)`),
    );
  });

  it.each([true, false])("a new one starts by itself when one is closed (merged: %s)", async (merged) => {
    const rig = await full();
    await tell(rig, pullClosed(rig, pullOf(rig), { merged }));
    expect(await stateOf(rig, NEXT)).toBe("COMPLETED");
  });

  it("other work continues that is open already", async () => {
    const again = onAttempt(1, 2, edit("fix.ts"), commit, complete);
    const rig = await done({ ...ONE, script: [again] });
    await tell(rig, reviewed(rig, pullOf(rig), "changes_requested"));
    expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
    expect((await agentOf(rig, "feat-dev-issue-1.2")).prNumber).toBe(pullOf(rig));
  });

  it("what GitHub says of a pull request is read with its issue: since when, how large, who is asked", async () => {
    const rig = await done();
    const [pull] = rig.repository.pulls.values();
    Object.assign(pull ?? {}, { asked: ["ada"], changedLines: 12 });
    await rig.pass(5 * MINUTE);
    expect(await rig.store.seenPulls.ofRepositories([7])).toEqual([
      {
        repositoryId: 7,
        pull: pullOf(rig),
        openedAt: Date.parse(pull?.createdAt ?? ""),
        changedLines: 12,
        asked: ["ada"],
      },
    ]);
  });

  it("one that a reviewing agent has in hand does not count, nor one that is merged by itself", async () => {
    const rig = await underReview();
    const awaiting = async (auto = false, level: Level = "merge") => {
      const settings = someSettings({ merge: { auto, maxRisk: undefined, method: "squash" }, level });
      return (await awaitingPulls(settings, rig.store)).map(({ pull }) => pull);
    };
    expect(await awaiting()).toEqual([]);
    await taskDoes(rig, { ...host(rig), type: "NEW_COMMIT", commit: "d".repeat(40) });
    expect(await awaiting()).toEqual([pullOf(rig)]);
    await taskDoes(rig, { ...host(rig), type: "APPROVE", ...APPROVAL });
    expect([await awaiting(), await awaiting(true)]).toEqual([[pullOf(rig)], []]);
    expect(await awaiting(true, "pr")).toEqual([pullOf(rig)]);
  });
});
