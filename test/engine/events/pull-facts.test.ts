import { expect, it } from "vitest";
import { aRole, REVIEWER } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, statusComments, taskOf } from "../look.ts";
import { labeled, pullClosed, reviewed, tell } from "../people.ts";
import { ran, reviewersOf, reviewing, reviewRig, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { commit, complete, edit, on, onAttempt, openPr, review, work } from "../scripts.ts";

const COMMANDS = { evidence: { ...someSettings().evidence, commands: ["npm test"] } };

const pullOf = (rig: Rig) => [...rig.repository.pulls.values()][0];
/** What the host says in the pull request, apart from the agent's words. */
const factsOf = (rig: Rig): string => pullOf(rig)?.body.split("facts by Flotilla: end")[0] ?? "";
const usedBy = (...turns: readonly number[]) =>
  `- Used until this was written: ${turns.reduce((sum, one) => sum + one, 0)} turns`;

const asked = on(1, edit(), commit, openPr, review);
const approves = reviewing(1, ran(), verdict("approve"));

it("of a coder stay the coder's when a reviewer has looked at them, after a restart and after the merge", async () => {
  const rig = await reviewRig([asked, approves], { settings: COMMANDS });
  const coder = await agentOf(rig);
  expect((await taskOf(rig))?.state).toBe("APPROVED");
  expect((await reviewersOf(rig)).map(({ prNumber }) => prNumber)).toEqual([coder.prNumber]);
  const facts = factsOf(rig);
  expect(facts).toContain(
    "- Commands run by Flotilla: none when this was written; those that check the work run when the agent says that it is done, and Flotilla's first comment on #1 shows what they return",
  );
  expect(statusComments(rig).at(-1)).toContain(
    `Flotilla checked it on ${coder.headCommit?.slice(0, 7)}: \`npm test\` exit 0.`,
  );
  expect(facts).toContain("acme/shop:feat-dev-issue-1/");
  // The whole life of the pull request takes one write of its text.
  expect(rig.github.writes.filter((write) => /PullRequest/.test(write))).toEqual([
    expect.stringMatching(/^openPullRequest /),
  ]);
  await rig.restart();
  await rig.idle();
  expect(factsOf(rig)).toBe(facts);
  await tell(rig, pullClosed(rig, coder.prNumber ?? 0, { merged: true }));
  expect((await taskOf(rig))?.state).toBe("MERGED");
  expect(factsOf(rig)).toBe(facts);
});

it("stay the coder's when a second role looks at the documentation", async () => {
  const docs = { ...REVIEWER, name: "docs" };
  const roles = rolesOf(aRole(), REVIEWER, docs);
  const approvesAsWell = reviewing(1, ran(), verdict("approve"));
  const script = [asked, approves, approvesAsWell];
  const settings = { ...COMMANDS, roles, review: { ...someSettings().review, reviewers: 2 } };
  const rig = await reviewRig(script, { settings });
  const coder = await agentOf(rig);
  expect(await rig.store.records.find("agent", { prNumber: coder.prNumber })).toHaveLength(3);
  expect(factsOf(rig)).toContain("acme/shop:feat-dev-issue-1/");
  expect(factsOf(rig)).toContain(", asked for by @alice\n");
});

it("of work that a second attempt continues with name both, oldest first, and count both", async () => {
  const script = [onAttempt(1, 2, edit("test.ts"), commit, complete), on(1, ...work)];
  const rig = await aRig({ script, settings: COMMANDS });
  await tell(rig, labeled(rig, 1));
  const first = await agentOf(rig);
  expect(first.state).toBe("COMPLETED");
  await tell(rig, reviewed(rig, first.prNumber ?? 0, "changes_requested"));
  const second = await agentOf(rig, "feat-dev-issue-1.2");
  expect([second.state, second.prNumber]).toEqual(["COMPLETED", first.prNumber]);
  expect(factsOf(rig)).toContain(
    [first, second]
      .map(
        ({ headCommit }) =>
          `  - \`npm test\`: exit 0 on [${headCommit?.slice(0, 7)}](/acme/shop/commit/${headCommit})`,
      )
      .join("\n"),
  );
  expect(factsOf(rig)).toContain("acme/shop:feat-dev-issue-1.2/");
  expect(factsOf(rig)).toContain(usedBy(first.turns, second.turns));
});
