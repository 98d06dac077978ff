import { expect, it } from "vitest";
import { asked, questionOf } from "../engine/asking.ts";
import { agentOf, commentsOn, stateOf, toldTo } from "../engine/look.ts";
import { labeled, said, tell } from "../engine/people.ts";
import { planFirst, plans } from "../engine/planning.ts";
import { aRig, type Rig } from "../engine/rig.ts";
import { after, call, edit, on, type Step, work } from "../engine/scripts.ts";
import { someSettings } from "../factories/some-settings.ts";
import { pageOver } from "./page-over.ts";

const { runtime } = someSettings();
const ask = { runtime: { ...runtime, permissionMode: "ask" as const } };
const curl = call("bash", { command: "curl https://example.com/" });

/** An agent on issue 1 that asked about a call, and then does `next`. */
async function asking(...next: readonly Step[]): Promise<{ readonly rig: Rig; readonly approval: number }> {
  const rig = await aRig({ settings: ask, script: [on(1, curl, ...next)] });
  await tell(rig, labeled(rig, 1));
  const { id, token } = await agentOf(rig);
  const [row] = await rig.store.approvals.asked(id, token);
  return { rig, approval: row?.id ?? 0 };
}

it("offers a question's options, and takes one of them in the name of who chose it", async () => {
  const rig = await asked();
  const page = await pageOver(rig, "alice");
  const { id } = await questionOf(rig);
  expect(await page.read("waiting")).toMatchObject({
    waiting: [
      {
        kind: "question",
        next: expect.stringMatching(
          /^Choose one, or write an answer\. If none comes by .* UTC, this escalates\.$/,
        ),
        question: {
          id,
          options: [
            { name: "MIT", recommended: true, destructive: false },
            { name: "GPL 3", recommended: false, destructive: false },
            { name: "None at all", recommended: false, destructive: true },
          ],
        },
      },
    ],
  });
  expect(await page.send(`questions/${id}/answer`, { text: "GPL 3" })).toEqual([200, { answer: "GPL 3" }]);
  expect(await questionOf(rig)).toMatchObject({ state: "ANSWERED", answer: "GPL 3", answeredBy: "alice" });
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(toldTo(rig)[1]).toContain("Answer from a person: @alice answers:\n\nGPL 3");
  expect(commentsOn(rig)[0]).toContain("**Answered by @alice**, ");
});

it("takes a free answer of the operator, once, and says who was first", async () => {
  const rig = await asked();
  const page = await pageOver(rig);
  const path = `questions/${(await questionOf(rig)).id}/answer`;
  const twice = { id: "a click", text: "Neither, BSD please." };
  expect(await page.send(path, twice)).toMatchObject([200, {}]);
  expect(await page.send(path, twice)).toMatchObject([200, {}]);
  expect(toldTo(rig)[1]).toContain("The operator answers:\n\nNeither, BSD please.");
  expect(commentsOn(rig)[0]).toContain("**Answered by the operator**");
  expect(await page.send(path, { text: "MIT" })).toMatchObject([
    409,
    { error: { message: "That question was already answered by the operator: Neither, BSD please." } },
  ]);
  expect(toldTo(rig).join("\n")).not.toContain("MIT\n");
});

it("approves with a word that the agent reads", async () => {
  const { rig, approval } = await asking(
    after("They add:\n\nOnly this host", curl),
    edit(),
    ...work.slice(1),
  );
  const page = await pageOver(rig, "alice");
  expect(await page.send(`approvals/${approval}/approve`, { reason: "Only this host." })).toMatchObject([
    200,
    {},
  ]);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await rig.store.approvals.get(approval)).toMatchObject({ state: "used", decidedBy: "alice" });
});

it("approves with words below the command in a comment, by the same rule", async () => {
  const { rig, approval } = await asking(
    after("They add:\n\nOnly this host", curl),
    edit(),
    ...work.slice(1),
  );
  await tell(rig, said(rig, 1, "/flotilla approve\n\nOnly this host."));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await rig.store.approvals.get(approval)).toMatchObject({ state: "used", decidedBy: "alice" });
});

it("approves a plan with a word", async () => {
  const rig = await aRig({
    settings: planFirst,
    script: [on(1, plans(), after("They add:\n\nKeep the header", edit()), ...work.slice(1))],
  });
  await tell(rig, labeled(rig, 1));
  const page = await pageOver(rig, "alice");
  const { waiting } = await page.read("waiting");
  expect(waiting).toMatchObject([{ kind: "plan", approval: { undo: false } }]);
  const { id, token } = await agentOf(rig);
  const [plan] = await rig.store.approvals.asked(id, token);
  expect(await page.send(`approvals/${plan?.id}/approve`, { reason: "Keep the header." })).toMatchObject([
    200,
    {},
  ]);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("denies with a reason that the agent reads", async () => {
  const { rig, approval } = await asking(after("Why: No network", edit()), ...work.slice(1));
  const page = await pageOver(rig, "alice");
  expect(await page.send(`approvals/${approval}/deny`, { reason: "No network." })).toMatchObject([200, {}]);
  expect(await rig.store.approvals.get(approval)).toMatchObject({ state: "denied", reason: "No network." });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("takes an approval back until the agent has made the call", async () => {
  const { rig, approval } = await asking(after("takes back", edit()), ...work.slice(1));
  const page = await pageOver(rig, "alice");
  const path = `approvals/${approval}`;
  expect(await page.send(`${path}/undo`)).toMatchObject([
    409,
    { error: { message: expect.stringContaining("needs no answer") } },
  ]);
  // Paused, so that it does not make the call before it is taken back.
  await page.press("acme/shop:feat-dev-issue-1", "pause");
  await page.send(`${path}/approve`);
  expect(await page.send(`${path}/undo`)).toMatchObject([200, { tool: "bash" }]);
  expect(await rig.store.approvals.get(approval)).toMatchObject({
    state: "denied",
    decidedBy: "alice",
    reason: "the permission was taken back",
  });
  await page.press("acme/shop:feat-dev-issue-1", "resume");
  expect(toldTo(rig).join("\n")).toContain("@alice takes back the permission for bash");
});

it("says that a call was made, and takes nothing back then", async () => {
  const { rig, approval } = await asking(after("You are awake again", curl), edit(), ...work.slice(1));
  const page = await pageOver(rig, "alice");
  await page.send(`approvals/${approval}/approve`);
  expect(await page.send(`approvals/${approval}/undo`)).toMatchObject([
    409,
    { error: { message: "The agent has already made that call" } },
  ]);
});
