import { expect, it } from "vitest";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { escalate, on, onAttempt, work } from "../scripts.ts";

const WORDS = "Please use the library `dates`.\nNo new packages.";
const START = `/flotilla start feat-dev turns=80\n\n${WORDS}`;
const times = (rig: Rig, message: number) => (toldTo(rig)[message] ?? "").split(WORDS).length - 1;

it("gives the lines below a start to the agent, as that person's words, once", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, said(rig, 1, START));
  expect(toldTo(rig)[0]).toMatch(
    /@alice says \(https:.+\):\s+Please use the library `dates`\.\nNo new packages\./,
  );
  expect(times(rig, 0)).toBe(1);
  expect(await rig.store.wakes.pending((await agentOf(rig)).id)).toEqual([]);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("gives them to an agent that waited for the draft", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1, { label: "draft" }), labeled(rig, 1));
  expect(await stateOf(rig)).toBe("CREATED");
  await tell(rig, said(rig, 1, `/flotilla start\n${WORDS}`));
  expect(times(rig, 0)).toBe(1);
});

it("gives them to a further attempt, which reads them once", async () => {
  const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  await rig.pass(GRACEFUL_PAUSE_MS);
  await tell(rig, said(rig, 1, START));
  expect(await stateOf(rig, "feat-dev-issue-1.2")).toBe("COMPLETED");
  expect(times(rig, toldTo(rig).length - 1)).toBe(1);
});

it("gives an agent no line that GitHub does not show", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, said(rig, 1, "/flotilla start feat-dev\n<!-- a template -->\n"));
  expect(toldTo(rig)[0]).not.toContain("template");
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("refuses a start of a reviewer with words that nobody would read", async () => {
  const reviewer = aRole({ name: "reviewer", evidence: "verdict" });
  const rig = await aRig({ settings: someSettings({ roles: rolesOf(aRole({}), reviewer) }) });
  await tell(rig, said(rig, 1, `/flotilla start reviewer\n${WORDS}`));
  expect(commentsOn(rig).at(-1)).toContain(
    "`/flotilla start` changes nothing: reviewer reads no words before it works.\n\nInstead: say `/flotilla start reviewer` alone, and write your words in a comment once it works.",
  );
});
