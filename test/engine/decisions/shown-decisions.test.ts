import { expect, it } from "vitest";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { commentsOn, stateOf, statusComments } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, on, work } from "../scripts.ts";

const settings = someSettings();
const noSlot = { runtime: { ...settings.runtime, maxConcurrentAgents: 0 } };
const noStart = { storm: { ...settings.storm, maxStartsPerIssuePerHour: 0 } };

const lastDecision = (rig: Rig) => /^Last decision, .*$/m.exec(statusComments(rig).join())?.[0] ?? "";

it("says in an issue's one status comment why nothing was started, where no agent came of it", async () => {
  const rig = await aRig({ settings: noStart });
  await tell(rig, labeled(rig, 1));
  expect(statusComments(rig)).toHaveLength(1);
  expect(statusComments(rig)[0]).toContain("No agent works on this issue.");
  expect(lastDecision(rig)).toContain("not started: too many");
  rig.clock.advance(MINUTE);
  await tell(rig, labeled(rig, 1, { personPull: 9 }));
  expect(statusComments(rig)).toHaveLength(1);
  expect(lastDecision(rig)).toContain("#9 is a person's open pull request");
});

it("rewrites the status comment for a decision that comes late, and once for the same", async () => {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla pause"));
  await tell(rig, closed(rig, 2));
  expect(lastDecision(rig)).toContain(
    "held, paused by `@alice` — `/flotilla resume` on the issue lets it continue",
  );
  for (let minute = 0; minute < 3; minute += 1) await rig.pass(MINUTE);
  const rewritings = await rig.store.effects.find({ kind: "status_comment" });
  expect(rewritings.filter(({ key }) => key.startsWith("decision-"))).toHaveLength(1);
  expect(await stateOf(rig)).toBe("SLEEPING");
});

it("tells an agent that waits for a slot so, in its own status comment", async () => {
  const rig = await aRig({ settings: noSlot, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(lastDecision(rig)).toContain("no slot free, all 0 slots are in use — it starts automatically");
});

it("writes nothing on the issue of a stranger, however much the stranger asks", async () => {
  const rig = await aRig();
  const issue = rig.repository.issues.get(1);
  const actor = person("eve");
  if (issue === undefined) throw new Error("the rig has no issue 1");
  await tell(
    rig,
    aDomainEvent("issue_opened", { delivery: "o", at: rig.clock.now(), actor, issue, permitted: false }),
    said(rig, 1, "/flotilla start feat-dev", { by: "eve" }),
    said(rig, 1, "@flotilla please", { by: "eve" }),
  );
  expect([...commentsOn(rig), ...statusComments(rig)]).toEqual([]);
});

it("answers `/flotilla why` in a comment of its own each time, with what, why and what next", async () => {
  const rig = await aRig({ settings: noStart });
  await tell(rig, labeled(rig, 1));
  await tell(rig, said(rig, 1, "/flotilla why"));
  await tell(rig, said(rig, 1, "/flotilla why"));
  expect(commentsOn(rig)).toHaveLength(2);
  expect(commentsOn(rig)[0]).toMatch(
    /^- .* ago: not started: too many, .+ \(storm\) → wait, or say `\/flotilla start` later$/m,
  );
  expect(statusComments(rig)).toHaveLength(1);
});
