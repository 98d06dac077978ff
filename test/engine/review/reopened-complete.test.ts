import { expect, it } from "vitest";
import { limitsOf } from "../limits-of.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, taskOf } from "../look.ts";
import { dismissed, labeled, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { edit, escalate, on, onAttempt, type Step, work } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";
import { page, why } from "../truth/places.ts";

const SECOND = "feat-dev-issue-1.2";
const REFUSED = "the changes that @alice requested of its newest commit are not made yet";
const stateOfTask = async (rig: Rig) => (await taskOf(rig))?.state;
const completes = (rig: Rig) => tell(rig, said(rig, 1, "/flotilla complete"));

/** Its work was complete; alice has requested changes, and the second attempt does this. */
async function reopened(steps: readonly Step[], options: Partial<RigOptions> = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [onAttempt(1, 2, ...steps), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, reviewed(rig, pullOf(rig), "changes_requested", { by: "alice" }));
  expect(await agentOf(rig, SECOND)).toMatchObject({ headCommit: null, prNumber: pullOf(rig) });
  return rig;
}

it("is refused for a reopened attempt without a commit of its own, and the task keeps its coder", async () => {
  const rig = await reopened([escalate]);
  await completes(rig);
  expect([await stateOf(rig, SECOND), await stateOfTask(rig)]).toEqual(["ESCALATED", "CLAIMED"]);
  expect(await decisionsOn(rig)).toContain("changes_requested");
  expect(commentsOn(rig).at(-1)).toContain(REFUSED);
  const operator = { agent: `acme/shop:${SECOND}`, id: "1", by: "operator:root", reason: null };
  await expect(rig.engine.operations.complete(operator)).rejects.toThrow(REFUSED);
});

it.each([
  ["was dismissed", (rig: Rig) => dismissed(rig, pullOf(rig), "alice")],
  ["was made up for by an approval", (rig: Rig) => reviewed(rig, pullOf(rig), "approved", { by: "alice" })],
])("puts the commit of its pull request up for review once the request %s", async (_, act) => {
  const rig = await reopened([escalate]);
  const { headCommit } = await agentOf(rig);
  await rig.engine.handle(act(rig));
  await rig.engine.handle(said(rig, 1, "/flotilla complete"));
  await rig.idle();
  expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
  expect(["READY_FOR_REVIEW", "APPROVED"]).toContain(await stateOfTask(rig));
  expect(await taskOf(rig)).toMatchObject({ reviewCommit: headCommit });
});

it("is offered nowhere while it is refused, and everywhere again afterwards", async () => {
  const rig = await reopened([escalate]);
  const seat = { rig, agent: await agentOf(rig, SECOND) };
  const merge = `merge #${pullOf(rig)} on GitHub to take the work as it is: @alice requested changes of its newest commit`;
  const asked = commentsOn(rig).find((body) => body.includes("needs a person"));
  expect(asked).toContain(`- ${merge}\n`);
  expect(asked).not.toContain("/flotilla complete");
  const places = async () => {
    const { agent, waiting, own } = await page(seat);
    return [
      await why(seat, 1),
      agent.next,
      ...[...waiting, ...own].flatMap(({ next, acts }) => [next, acts]),
    ];
  };
  expect(JSON.stringify(await places())).not.toContain("complete");
  await rig.engine.handle(dismissed(rig, pullOf(rig), "alice"));
  const [told, next, ...waiting] = await places();
  expect([told, next]).toEqual([
    expect.stringContaining("`/flotilla complete`"),
    expect.stringContaining("`/flotilla complete`"),
  ]);
  expect(waiting.flat()).toContain("complete");
});

it("is not offered at the limit of turns either", async () => {
  const rig = await reopened([edit(), edit("a.ts"), edit("b.ts"), edit("c.ts"), edit("d.ts")], {
    settings: limitsOf({ maxTurns: 4 }),
  });
  const merge = `a merge of #${pullOf(rig)} on GitHub takes the work as it is`;
  expect(commentsOn(rig).find((body) => body.includes("stopped at the limit"))).toContain(
    `\`/flotilla continue [turns]\` lets it continue, ${merge}, \`/flotilla cancel\` ends it.`,
  );
  const seat = { rig, agent: await agentOf(rig, SECOND) };
  const { agent, own } = await page(seat);
  expect(agent.next).toContain(merge);
  expect(own.map(({ acts }) => acts)).toEqual([["continue", "kill"]]);
  await tell(rig, said(rig, 1, "/flotilla answer light"));
  expect(commentsOn(rig).at(-1)).toContain(merge);
});
