import { expect, it } from "vitest";
import { GRACEFUL_PAUSE_MS } from "../../../src/domain/kernel/backoff.ts";
import { aRole } from "../../factories/a-role.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf } from "../../factories/some-settings.ts";
import { IN_PHASE, runMoves } from "../in-phase.ts";
import { agentOf, commentsOn, historyOf, runOf, stateOf, taskOf, toldTo } from "../look.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { coding, ROLES, reviewing, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, blocked, call, edit, on, onAttempt, slowly, work } from "../scripts.ts";

/** Stories that cross several parts of the engine, each told to its end. */

it("a host that dies while acceptance commands run judges the same claim after its restart", async () => {
  const { rig, leave } = await IN_PHASE.evaluating();
  await rig.restart();
  expect(await runOf(rig)).toMatchObject({ state: "evaluating", iteration: 1 });
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
  leave();
  await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await runMoves(rig, "STEP_COMPLETE")).toHaveLength(1);
  expect(await runMoves(rig, "EVALUATION_PASS")).toEqual(["evaluating → succeeded"]);
});

const waitsForTwo = on(1, blocked(2), after("#2, which blocked you", edit()), ...work.slice(1));

it("a blocker that closes while the host is down, without a webhook, wakes the same conversation", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  const { sessionId } = await agentOf(rig);
  rig.life.end();
  closed(rig, 2);
  rig.clock.advance(HOUR);
  await rig.restart();
  await rig.pass(5 * MINUTE);
  expect(await agentOf(rig)).toMatchObject({ state: "COMPLETED", sessionId, sessionCount: 1, wakes: 1 });
});

it("a sleeper whose longest sleep is over asks a person, and continues when its blocker closes after all", async () => {
  const rig = await aRig({ script: [waitsForTwo] });
  await tell(rig, labeled(rig, 1));
  await rig.pass(24 * HOUR);
  expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", breaker: "max_sleep_duration" });
  expect(commentsOn(rig).join()).toContain("max_sleep_duration");
  await tell(rig, closed(rig, 2));
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "SLEEPING", "ESCALATED", "ACTIVE", "COMPLETED"]);
  expect(await runMoves(rig, "RESET")).toEqual(["failed → idle"]);
});

it("a reviewer whose context is full hands over, and its second conversation gives the verdict", async () => {
  const asked = "nearly as long as it can be";
  const handoff = call("write_handoff", { summary: "half is read", next_action: "read the rest" });
  const rig = await aRig({
    settings: { roles: ROLES },
    script: [
      reviewing(
        1,
        slowly(MINUTE, call("bash", { command: "npm test", description: "Look" })),
        after(asked, handoff),
        after("half is read", call("bash", { command: "npm test", description: "Look" })),
        verdict("approve"),
      ),
      coding(1),
    ],
  });
  await rig.engine.handle(labeled(rig, 1));
  const reviewer = async () => (await rig.store.records.find("agent", { role: "reviewer" }))[0];
  await rig.until("the reviewer thinks", async () => {
    const { sessionId = null } = (await reviewer()) ?? {};
    return (
      sessionId !== null &&
      rig.runtime.requests.some(([, first]) => first?.content.startsWith("Review commit"))
    );
  });
  rig.runtime.fill((await reviewer())?.sessionId ?? "", 0.9);
  rig.clock.advance(MINUTE);
  await rig.idle();
  await rig.pass(GRACEFUL_PAUSE_MS);
  expect(await reviewer()).toMatchObject({ state: "COMPLETED", sessionCount: 2, attempt: 1 });
  expect((await taskOf(rig))?.state).toBe("APPROVED");
});

it("another role on work under review is refused with its reason", async () => {
  const other = aRole({ name: "night-dev", triggers: [{ event: "issues.labeled", label: "night" }] });
  const rig = await aRig({ settings: { roles: rolesOf(aRole(), other) }, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  await tell(rig, said(rig, 1, "/flotilla start night-dev"));
  const [decision] = await rig.store.decisions.ofIssue(7, 1, 1);
  expect(decision?.reason).toContain("READY_FOR_REVIEW");
  expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
  expect(toldTo(rig)).toHaveLength(1);
  expect(await rig.store.records.find("agent", { issue: 1 })).toHaveLength(1);
});

const names = async (one: Rig) =>
  (await one.store.records.find("agent", { role: "triage" })).map(({ name }) => name);

it("two runs of an ephemeral role in the same second have names of their own", async () => {
  const rig = await aRig({
    script: [
      onAttempt(1, 2, call("report_complete", { summary: "Nothing." })),
      on(1, call("report_complete", { summary: "Nothing." })),
    ],
  });
  await tell(rig, said(rig, 1, "/flotilla start triage"));
  await tell(rig, said(rig, 1, "/flotilla start triage"));
  const [first = "", second = ""] = await names(rig);
  expect(first).toBe(`triage-issue-1-${Math.floor(rig.clock.now() / 1000)}`);
  expect(second).not.toBe(first);
  expect(await names(rig)).toHaveLength(2);
});
