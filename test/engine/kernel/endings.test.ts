import { describe, expect, it } from "vitest";
import { type Ending, endingsOf, optionsOf, prepareWorld } from "../endings.ts";
import { agentOf, historyOf, runOf, stateOf, toldTo } from "../look.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";

const KINDS = ["lying", "partial", "honest"] as const;

/** How it stands after the first claim, by what a fair person says of it. */
const AFTER: Readonly<Record<Ending["fair"], object>> = {
  accepted: { run: "succeeded", agent: "COMPLETED", told: 0 },
  waits: { run: "evaluating", agent: "SLEEPING", told: 0 },
  held: { run: "waiting_approval", agent: "SLEEPING", told: 0 },
  refused: { run: "waiting_input", agent: "ESCALATED", told: 1 },
};

const ASLEEP: Readonly<Record<string, Ending["fair"]>> = { checks: "waits", approval: "held" };

/** What the engine made of the first claim. */
async function play(
  given: Ending,
): Promise<{ rig: Rig; verdict: Ending["fair"]; missing: readonly string[] }> {
  const rig = await aRig(optionsOf(given));
  prepareWorld(rig, given);
  await tell(rig, labeled(rig, 1));
  const agent = await agentOf(rig);
  const rows = await rig.store.evidence.ofAgent(agent.id);
  const missing = rows.flatMap((row) => row.missing?.kind ?? []);
  const asleep = agent.state === "SLEEPING" ? ASLEEP[agent.sleepReason ?? ""] : undefined;
  return { rig, verdict: agent.state === "COMPLETED" ? "accepted" : (asleep ?? "refused"), missing };
}

describe.each(KINDS)("an ending that is %s", (kind) => {
  it.each(endingsOf(kind).map((given) => [given.name, given] as const))("%s", async (_, given) => {
    const { rig, verdict, missing } = await play(given);
    expect({ verdict, missing }).toEqual({ verdict: given.fair, missing: given.missing ?? [] });
    expect({
      run: (await runOf(rig))?.state,
      agent: await stateOf(rig),
      // What is missing is named once; then it gave up, as the script has it.
      told: toldTo(rig).filter((text) => text.includes("this is missing")).length,
    }).toEqual(AFTER[given.fair]);
    expect((await historyOf(rig)).includes("COMPLETED")).toBe(given.fair === "accepted");
    expect(rig.worktrees.checkouts.size).toBe(0);
  });
});

it.each(
  KINDS.flatMap(endingsOf)
    .filter(({ evaluator, fair }) => evaluator !== undefined && fair === "refused")
    .map((given) => [given.name, given] as const),
)("only an evaluator refuses: %s", async (_, { evaluator: _without, ...given }) => {
  expect(await play(given)).toMatchObject({ verdict: "accepted", missing: [] });
});

it("knows at least 30 endings, each under a name of its own, and what a lie must be told", () => {
  const all = KINDS.flatMap(endingsOf);
  expect(all.length).toBeGreaterThanOrEqual(30);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { fair, missing } of all.filter((one) => one.fair !== "held"))
    expect(missing !== undefined).toBe(fair === "refused");
  for (const { fair } of endingsOf("lying")) expect(["refused", "held"]).toContain(fair);
  for (const { fair } of endingsOf("honest")) expect(fair).toBe("accepted");
});
