import { expect, it } from "vitest";
import { VERBS } from "../../../src/domain/commands/command.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { aCommand, anIssue } from "../../factories/an-occurrence.ts";
import { limitsOf } from "../limits-of.ts";
import { commentsOn, decisionsOn, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { commit, edit, escalate, on, openPr, work } from "../scripts.ts";

const lastCommand = (text = "") => /^Last command, .*$/m.exec(text)?.[0] ?? "";

it("at the turn limit refuses `/flotilla resume` and says that `/flotilla continue` is meant", async () => {
  const rig = await aRig({
    settings: limitsOf({ maxTurns: 2 }),
    script: [on(1, edit(), commit, openPr, escalate)],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(rig.repository.reactions).toMatchObject([{ reaction: "confused" }]);
  expect(commentsOn(rig).at(-1)).toContain(
    "`/flotilla resume` changes nothing: feat-dev-issue-1 is SLEEPING",
  );
  expect(commentsOn(rig).at(-1)).toContain("`/flotilla continue [n]`");
  expect(lastCommand(statusComments(rig)[0])).toMatch(/`\/flotilla resume` by alice: refused, .*max_turns/);
  await tell(rig, said(rig, 1, "/flotilla continue 10"));
  expect(await stateOf(rig)).toBe("ESCALATED");
  expect(lastCommand(statusComments(rig)[0])).toMatch(/`\/flotilla continue` by alice: taken\.$/);
});

it("a command that its author deletes before the reaction has not failed", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const deleted = new GitHubError("not_found", "no such comment", 404, { consequence: "tell" });
  rig.github.failNext("react", deleted, "before");
  await tell(rig, said(rig, 1, "/flotilla status"));
  const reactions = await rig.store.effects.find({ kind: "react" });
  expect(reactions).toMatchObject([{ state: "done", result: { gone: true } }]);
});

it("refuses `/flotilla approve` where nothing is to be approved", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla approve"));
  expect(await decisionsOn(rig)).toEqual(["nothing_asked"]);
  expect(commentsOn(rig).at(-1)).toContain("no call of this issue's agents waits for a person");
});

it("tells in the status comment what a command did, and that it was the latest", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  expect(lastCommand(statusComments(rig)[0])).toBe("");
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  expect(lastCommand(statusComments(rig)[0])).toContain(
    "`/flotilla cancel` by alice: agent ESCALATED → CANCELLED, task CLAIMED → UNCLAIMED.",
  );
  await tell(rig, said(rig, 1, "/flotilla status"));
  expect(lastCommand(statusComments(rig)[0])).toContain("`/flotilla status` by alice: taken.");
});

it.each(VERBS)(
  "answers `/flotilla %s` with a reaction, and tells its result in the status comment",
  async (verb) => {
    const rig = await aRig();
    await tell(rig, said(rig, 1, `/flotilla ${verb}`));
    expect(rig.repository.reactions).toHaveLength(1);
    const last = lastCommand(statusComments(rig)[0]);
    expect(last).toContain(`\`/flotilla ${verb}\` by alice: `);
    const refused = rig.repository.reactions[0]?.reaction === "confused";
    expect(last).toMatch(refused ? /: refused, .+ — .+\.$/ : /: taken\.$/);
    expect(commentsOn(rig)).toHaveLength(refused || verb === "why" ? 1 : 0);
  },
);

it("reacts to a command on a line of a pull request where that comment is", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const author = { id: 9, login: "alice", type: "User" } as const;
  const line = { id: 777, path: "a.ts", line: 1, url: "", body: "/flotilla cancel", createdAt: "", author };
  rig.repository.reviewComments.set(50, [line]);
  const issue = anIssue({ number: 1 });
  const [delivery, at] = ["line", rig.clock.now()];
  await tell(rig, aCommand("cancel", "", { delivery, at, issue, commentId: 777, place: "review" }));
  expect(rig.repository.reactions).toEqual([{ commentId: 777, reaction: "+1" }]);
  expect(await stateOf(rig)).toBe("CANCELLED");
});

it("answers what it does not take once a day, however often it is said, and shows that each was read", async () => {
  const rig = await aRig();
  const again = Array.from({ length: 10 }, () => said(rig, 1, "/flotilla stat"));
  await tell(
    rig,
    ...again,
    said(rig, 1, "/flotilla resume"),
    said(rig, 1, "/flotilla resume", { by: "bob" }),
  );
  expect(rig.repository.reactions.map(({ reaction }) => reaction)).toEqual(Array(12).fill("confused"));
  expect(commentsOn(rig)).toEqual([
    expect.stringContaining("Did you mean `/flotilla start`?"),
    expect.stringContaining("`/flotilla resume` changes nothing"),
  ]);
  rig.clock.advance(24 * 3_600_000);
  await tell(rig, said(rig, 1, "/flotilla stat"));
  expect(commentsOn(rig)).toHaveLength(3);
});
