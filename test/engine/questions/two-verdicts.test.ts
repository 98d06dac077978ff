import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, call, edit, on, work } from "../scripts.ts";
import { callsOf } from "../told.ts";

const { runtime } = someSettings();
const settings = { runtime: { ...runtime, permissionMode: "ask" as const } };
const curl = call("bash", { command: "curl https://example.com/" });

/** An agent that asks about a call, and makes it again when it is awake. */
async function asking(): Promise<{ readonly rig: Rig; readonly approval: number }> {
  const again = after("You are awake again", curl);
  const rig = await aRig({ settings, script: [on(1, curl, again, edit(), ...work.slice(1))] });
  await tell(rig, labeled(rig, 1));
  const { id, token } = await agentOf(rig);
  const [asked] = await rig.store.approvals.asked(id, token);
  return { rig, approval: asked?.id ?? 0 };
}

function click(rig: Rig, approval: number, verdict: "approve" | "deny", by: string): Promise<unknown> {
  return rig.engine.operations
    .decideCall({ approval, verdict, id: `click-${by}`, by, reason: "use the mirror" })
    .catch((error: unknown) => error);
}

it("takes the first of two clicks on one call, and tells the other person", async () => {
  const { rig, approval } = await asking();
  const people = ["alice", "bob"];
  const answers = await Promise.all(people.map((by) => click(rig, approval, "approve", by)));
  // On several connections either may be first.
  const late = answers.findIndex((answer) => answer instanceof Error);
  expect(answers[late]).toMatchObject({
    code: "stale_snapshot",
    message: "approval 1 was changed meanwhile",
  });
  expect(answers[1 - late]).toEqual({ tool: "bash" });
  await rig.idle();
  expect(toldTo(rig)[1]).toContain(`@${people[1 - late]} lets this call pass once`);
  expect(toldTo(rig)[1]).not.toContain(`@${people[late]}`);
  expect((await callsOf(rig)).map(({ tool, status }) => `${tool} ${status}`).slice(0, 2)).toEqual([
    "bash success",
    "edit success",
  ]);
  expect(await click(rig, approval, "deny", "carol")).toMatchObject({ code: "invalid_state" });
});

it("tells the agent one answer when a comment and a click answer at the same time", async () => {
  const { rig, approval } = await asking();
  const no = rig.engine.handle(said(rig, 1, "/flotilla deny use the mirror", { by: "bob" }));
  await Promise.all([click(rig, approval, "approve", "alice"), no]);
  await rig.idle();
  const row = await rig.store.approvals.get(approval);
  expect(toldTo(rig)[1]?.match(/@(?:alice|bob)/g)).toEqual([`@${row?.decidedBy}`]);
});
