import { expect, it } from "vitest";
import { HOUR } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, together, work } from "../scripts.ts";

const { runtime } = someSettings();
const ask = { runtime: { ...runtime, permissionMode: "ask" as const } };
const curl = (more = "") => call("bash", { command: `curl https://example.com/${more}` });

/** An agent that asked about one call, or two, and goes on with them once it is awake again. */
async function asking(first = curl()): Promise<{ readonly rig: Rig; readonly asked: readonly number[] }> {
  const script = [on(1, first, after("You are awake again", first), edit(), ...work.slice(1))];
  const rig = await aRig({ settings: ask, script });
  await tell(rig, labeled(rig, 1));
  return { rig, asked: await askedOf(rig) };
}

async function askedOf(rig: Rig): Promise<readonly number[]> {
  const { id, token } = await agentOf(rig);
  return (await rig.store.approvals.asked(id, token)).map((row) => row.id);
}

const decide = (rig: Rig, approval: number, id: string, verdict: "approve" | "deny" = "approve") =>
  rig.engine.operations.decideCall({ approval, verdict, id, by: "alice", reason: "no" });

it.each(["continue", "continue 5", "resume"])(
  "wakes no agent whose call nobody has answered at /flotilla %s, and says how it is answered",
  async (words) => {
    const { rig, asked } = await asking();
    await tell(rig, said(rig, 1, `/flotilla ${words}`));
    expect(await stateOf(rig)).toBe("SLEEPING");
    expect(await askedOf(rig)).toEqual(asked);
    expect(commentsOn(rig).at(-1)).toMatch(
      /changes nothing: feat-dev-issue-1 waits for a person's approval\.\n\nInstead: `\/flotilla approve \[hash\]` or `\/flotilla deny <reason>` answers it\./,
    );
  },
);

it("says after a pause that the agent still waits for an answer", async () => {
  const { rig, asked } = await asking();
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await tell(rig, said(rig, 1, "/flotilla resume"));
  expect(await askedOf(rig)).toEqual(asked);
  expect(commentsOn(rig).at(-1)).toMatch(
    /^`\/flotilla resume` is taken\. The agent still waits for an answer about `bash [\da-f]{12}`: say `\/flotilla approve`, or `\/flotilla deny <reason>`\./,
  );
});

it.each(["continue", "resume"])(
  "says at /flotilla %s of an agent that waited too long that its call is not allowed by that",
  async (verb) => {
    const { rig } = await asking();
    await rig.pass(25 * HOUR);
    expect(await stateOf(rig)).toBe("ESCALATED");
    await tell(rig, said(rig, 1, `/flotilla ${verb}`));
    const texts = commentsOn(rig);
    expect(texts.find((text) => text.startsWith(`\`/flotilla ${verb}\``))).toMatch(
      /is taken\. It allows nothing: if the agent still needs `bash [\da-f]{12}`, it asks again\./,
    );
    expect(texts.at(-1)).toContain("asks a person for permission");
    expect(await stateOf(rig)).toBe("SLEEPING");
  },
);

it.each([
  ["approve", "approved"],
  ["deny no", "refused"],
])(
  "says on the issue that a call is answered, and what holds its agent: /flotilla %s",
  async (verb, word) => {
    const { rig } = await asking();
    await tell(rig, said(rig, 1, "/flotilla pause"));
    await tell(rig, said(rig, 1, `/flotilla ${verb}`));
    const status = statusComments(rig).at(-1) ?? "";
    expect(status).toContain(`its call is ${word}, and it waits to continue (paused by \`@alice\`)`);
    expect(status).not.toContain("waits for a person's approval");
    await tell(rig, said(rig, 1, "/flotilla resume"));
    expect(await stateOf(rig)).toBe("COMPLETED");
  },
);

it("lists no agent for a person whose call is answered", async () => {
  const { rig, asked } = await asking();
  const waiting = async () => (await rig.store.lists.waitingCounts()).map(({ count }) => count);
  expect(await waiting()).toEqual([1]);
  await rig.store.transaction((tables) =>
    tables.approvals.decide({ id: asked[0] ?? 0, state: "granted", by: "alice", reason: null }, 1),
  );
  expect(await waiting()).toEqual([0]);
});

it.each(["cancel", "complete"])(
  "closes the question about a call when its agent ends by /flotilla %s",
  async (verb) => {
    const { rig, asked } = await asking();
    const [approval = 0] = asked;
    await tell(rig, said(rig, 1, `/flotilla ${verb}`));
    expect(await rig.store.approvals.get(approval)).toMatchObject({
      state: "denied",
      decidedBy: "flotilla",
      reason: "its agent has ended",
    });
    await expect(decide(rig, approval, "late")).rejects.toMatchObject({
      code: "invalid_state",
      message: "That call needs no answer any more: its agent has ended",
    });
  },
);

it("says who has answered a call already, and when its agent has continued without the answer", async () => {
  const { rig, asked } = await asking(together(curl("a"), curl("b")));
  const [one = 0, other = 0] = asked;
  await decide(rig, one, "first");
  await expect(decide(rig, one, "second")).rejects.toThrow("That call was already approved by @alice");
  await decide(rig, other, "third", "deny");
  await expect(decide(rig, other, "fourth")).rejects.toThrow("That call was already refused by @alice");
  const late = await asking();
  await late.rig.pass(25 * HOUR);
  await tell(late.rig, said(late.rig, 1, "/flotilla resume"));
  await expect(decide(late.rig, late.asked[0] ?? 0, "late")).rejects.toThrow(
    "That call needs no answer any more: its agent has continued without it",
  );
});
