import { expect, it } from "vitest";
import { GitError, GitHubError } from "../../../src/domain/kernel/errors.ts";
import { ROLES } from "../../factories/a-role.ts";
import { MINUTE } from "../../factories/moment.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, answersTo, commentsOn, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type RigOptions } from "../rig.ts";
import { call, commit, complete, edit, on, openPr, type Step, together } from "../scripts.ts";

const speak = (body: string): Step => call("comment", { body });
const label = (name: string): Step => call("label", { name });
const { policy } = someSettings();
const few = { policy: { ...policy, maxOutputs: { comments: 2, pullRequests: 1, issues: 0 } } };

/** A rig with a role that has every tool. */
function withAll(options: RigOptions) {
  const tools = [...new Set(ROLES.flatMap((role) => role.tools))];
  const roles = rolesOf(...ROLES.map((role) => (role.name === "feat-dev" ? { ...role, tools } : role)));
  return aRig({ ...options, settings: { roles, ...options.settings } });
}

it("lets an agent make as many comments as policy allows, and says which limit stopped it", async () => {
  const rig = await withAll({
    settings: few,
    script: [on(1, speak("one"), speak("two"), speak("three"), complete)],
  });
  await tell(rig, labeled(rig, 1));
  expect(
    commentsOn(rig)
      .slice(0, 2)
      .map((body) => body.split("\n")[0]),
  ).toEqual(["one", "two"]);
  expect(answersTo(rig)[2]).toContain("2 comments, which is the limit");
});

it("holds calls of one turn to the limit together", async () => {
  const rig = await withAll({
    settings: few,
    script: [on(1, together(speak("one"), speak("two"), speak("three")), complete)],
  });
  await tell(rig, labeled(rig, 1));
  const bodies = commentsOn(rig).map((body) => body.split("\n")[0] ?? "");
  expect(bodies.filter((body) => ["one", "two", "three"].includes(body))).toHaveLength(2);
});

it.each(["needs-human", "Needs-Human", "flotilla:anything", "Escalation:decision"])(
  "does not let an agent set %s",
  async (name) => {
    const rig = await withAll({ script: [on(1, label(name), complete)] });
    rig.repository.labels.set("Needs-Human", "x").set("flotilla:anything", "x");
    await tell(rig, labeled(rig, 1));
    expect(answersTo(rig)[0]).toContain("the host's");
    expect(await rig.store.effects.find({ kind: "add_labels", key: "agent-1:t1:call-1" })).toEqual([]);
  },
);

it("sets another label, as the repository spells it", async () => {
  const rig = await withAll({ script: [on(1, label("P1"), complete)] });
  rig.repository.labels.set("p1", "x");
  await tell(rig, labeled(rig, 1));
  expect(rig.repository.issues.get(1)?.labels).toContain("p1");
  expect(answersTo(rig)[0]).toBe("Done.");
});

/** Cyrillic letters look like those of a label that starts work, and a path would be another address of GitHub's. */
it.each(["bugg", "p1", "b\u0443g", "..", "bug/..", "bug,bug", "bug\u0007\u0000s", "👍 bug"])(
  "lets an agent make no label %j that the repository does not have, and names those that it has",
  async (name) => {
    const rig = await withAll({ script: [on(1, label(name), complete)] });
    rig.repository.labels.set("Needs-Human", "x").set("flotilla:anything", "x").set("good first issue", "x");
    await tell(rig, labeled(rig, 1));
    expect(answersTo(rig)[0]).toContain("This repository has no label");
    expect(answersTo(rig)[0]).toContain('"bug", "good first issue"');
    expect(answersTo(rig)[0]).not.toMatch(/needs-human|flotilla:/i);
    const ours = /^(?:flotilla|escalation):|^needs-human$/i;
    expect([...rig.repository.labels.keys()].filter((one) => !ours.test(one))).toEqual([
      "bug",
      "good first issue",
    ]);
    expect(rig.github.writes).not.toContain("addExistingLabels 1");
  },
);

it("names fifty of many labels, and says that there is none where there is none", async () => {
  const many = await withAll({ script: [on(1, label("strange"), complete)] });
  for (let i = 0; i < 60; i++) many.repository.labels.set(`area-${i}`, "x");
  await tell(many, labeled(many, 1));
  expect(answersTo(many)[0]?.match(/"area-\d+"/g)).toHaveLength(49);
  expect(answersTo(many)[0]).toContain(", and 11 more.");
  const none = await withAll({ script: [on(1, label("strange"), complete)] });
  none.repository.labels.clear();
  await tell(none, labeled(none, 1));
  expect(answersTo(none)[0]).toContain("It has none that you may use.");
});

it("leaves out a label that is deleted before it is put, and says so", async () => {
  const rig = await withAll({ script: [on(1, label("bug"), complete)] });
  const addExistingLabels = methodOf(rig.github, "addExistingLabels");
  rig.github.addExistingLabels = async (...given) => {
    rig.repository.labels.delete("bug");
    return addExistingLabels(...given);
  };
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toBe('No longer in the repository, so left out: "bug".');
  expect(rig.repository.labels.has("bug")).toBe(false);
  expect(rig.repository.issues.get(1)?.labels).not.toContain("bug");
});

it("puts no label when the repository's cannot be read", async () => {
  const rig = await withAll({ script: [on(1, label("bug"), complete)] });
  rig.github.failNext(
    "labels",
    new GitHubError("unavailable", "502", 502, { consequence: "retry" }),
    "before",
  );
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toBe(
    "The repository's labels could not be read: 502. Try again, or leave them out.",
  );
  expect(rig.repository.issues.get(1)?.labels).not.toContain("bug");
});

it("opens one pull request", async () => {
  const rig = await withAll({ script: [on(1, edit(), commit, openPr, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(rig.repository.pulls.size).toBe(1);
  expect(answersTo(rig)[3]).toContain("Your pull request is #");
});

it("opens drafts at level draft, and none where policy forbids", async () => {
  const draft = await withAll({
    settings: { level: "draft" },
    script: [on(1, edit(), commit, openPr, complete)],
  });
  await tell(draft, labeled(draft, 1));
  expect([...draft.repository.pulls.values()]).toMatchObject([{ draft: true }]);
  const none = { policy: { ...policy, maxOutputs: { ...policy.maxOutputs, pullRequests: 0 } } };
  const rig = await withAll({ settings: none, script: [on(1, edit(), commit, openPr)] });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[2]).toContain("switched off");
});

it("answers after a minute that an output is queued, and does it when GitHub is back", async () => {
  const rig = await withAll({ script: [on(1, speak("hello"), edit(), commit, openPr, complete)] });
  const putComment = methodOf(rig.github, "putComment");
  rig.github.putComment = async (ref, number, comment) => {
    if (comment.body === "hello")
      throw new GitHubError("unavailable", "502", 502, { consequence: "retry", uncertain: true });
    return putComment(ref, number, comment);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until(
    "it is tried",
    async () => ((await rig.store.effects.find({ kind: "post_comment" }))[0]?.attempts ?? 0) > 0,
  );
  rig.clock.advance(MINUTE);
  await rig.until("it continues", () => rig.runtime.requests.length > 1);
  expect(answersTo(rig)[0]).toContain("It is queued");
  rig.github.putComment = putComment;
  rig.clock.advance(5 * MINUTE);
  await rig.engine.tick();
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(commentsOn(rig)[0]).toContain("hello");
});

it("tells the model why an output failed", async () => {
  const rig = await withAll({ script: [on(1, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toContain("It failed: flotilla/feat-dev/issue-1 has no commit");
});

it("says that there is nothing to commit", async () => {
  const rig = await withAll({ script: [on(1, commit, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toBe("There was nothing to commit.");
});

it("names what a commit left out, with its reason", async () => {
  const rig = await withAll({ script: [on(1, edit(), commit, complete)] });
  const pending = methodOf(rig.worktrees, "pending");
  rig.worktrees.pending = async (...asked) => ({ ...(await pending(...asked)), leftOut: [".GIT/f", "lib/"] });
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[1]).toMatch(
    /^Committed and pushed as \w+\. No commit can hold these, .*"\.GIT\/f" \(git refuses .*"lib\/" \(another repository/,
  );
});

it("says that too many files changed for a commit", async () => {
  const rig = await withAll({ script: [on(1, commit, complete)] });
  rig.worktrees.pending = () =>
    Promise.reject(
      new GitError("too_many_changes", "more than 9 files changed", {
        consequence: "tell",
        advice: "Delete some.",
      }),
    );
  await tell(rig, labeled(rig, 1));
  expect(answersTo(rig)[0]).toBe("Nothing was committed: more than 9 files changed. Delete some.");
});

it("reviews the commit that was pushed although the answer of the push was lost", async () => {
  const rig = await withAll({ script: [on(1, edit(), commit, openPr, edit("more.ts"), commit, complete)] });
  const push = methodOf(rig.worktrees, "push");
  let pushes = 0;
  rig.worktrees.push = async (ref) => {
    const pushed = await push(ref);
    pushes += 1;
    if (pushes === 2)
      throw new GitHubError("unavailable", "reset", 0, { consequence: "retry", uncertain: true });
    return pushed;
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is tried", () => pushes === 2);
  await rig.until(
    "it is to be tried again",
    async () => (await rig.store.effects.find({ kind: "commit", state: "pending" })).length === 1,
  );
  rig.clock.advance(10_000);
  await rig.engine.tick();
  await rig.idle();
  const head = rig.worktrees.serverHead("flotilla/feat-dev/issue-1");
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", headCommit: head });
});

it("gives a role without a branch nothing to commit or open", async () => {
  const tools = ["commit", "open_pr", "report_complete", "restore_files", "read_pr"];
  const roles = rolesOf(...ROLES.map((role) => (role.name === "triage" ? { ...role, tools } : role)));
  const restore = call("restore_files", { paths: ["a"] });
  const rig = await aRig({
    settings: { roles },
    script: [on(1, commit, openPr, restore, call("read_pr"), complete)],
  });
  await tell(rig, said(rig, 1, "/flotilla start triage"));
  expect(answersTo(rig)).toEqual([
    "You have no branch.",
    "You have no branch.",
    "You have no worktree.",
    "You have no pull request yet.",
  ]);
});
