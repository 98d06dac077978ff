import { expect, it } from "vitest";
import { SECOND_LOOKUP_MS } from "../../../src/domain/kernel/backoff.ts";
import { CATALOG } from "../../../src/engine/outbox/effect-catalog.ts";
import { ROLES } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, runOf, stateOf, statusComments, taskOf } from "../look.ts";
import { checked, closed, labeled, said, tell } from "../people.ts";
import { aRig, createRig, type Rig } from "../rig.ts";
import { after, blocked, call, commit, complete, edit, escalate, on, openPr, together } from "../scripts.ts";

const thanksAndOpens = together(
  call("comment", { body: "Thank you." }),
  call("create_blocker_issue", { title: "A palette", body: "Later." }),
);

/** A work that uses every kind of effect. After a restart the model takes up again what was cut off. */
const SCRIPT = [
  on(
    1,
    escalate,
    after("answers", edit()),
    blocked(2),
    after("which blocked you", commit),
    openPr,
    thanksAndOpens,
    complete,
    after("interrupted by a restart", call("get_my_status")),
  ),
];

const SETTINGS = {
  roles: rolesOf(...ROLES.map((role) => ({ ...role, tools: [...role.tools, "create_blocker_issue"] }))),
  evidence: { ...someSettings().evidence, commands: ["npm test"], requiredChecks: ["build"] },
};

/** What is left when all is done: states, and everything that people can see. */
async function outcome(rig: Rig) {
  const { state, branch, worktreePath } = await agentOf(rig);
  const task = await taskOf(rig);
  return {
    agent: { state, branch, worktreePath },
    run: (await runOf(rig))?.state,
    task: { state: task?.state, reviewed: task?.reviewCommit !== null },
    comments: commentsOn(rig).map(withoutMarker).toSorted(),
    status: statusComments(rig).length,
    pulls: rig.repository.pulls.size,
    issues: rig.repository.issues.size,
    labels: rig.repository.issues.get(1)?.labels.toSorted(),
    blockedBy: [...(rig.repository.blockedBy.get(1) ?? [])],
    reactions: rig.repository.reactions.length,
    slots: await rig.store.records.slotsInUse(),
    processes: rig.runtime.running.size,
    unsettled: await rig.store.effects.find({ state: ["pending", "leased"] }),
  };
}

/** The marker counts the moves of the agent, and a restart is a move. */
function withoutMarker(body: string): string {
  return body.replace(/<!--.*?-->/s, "").trim();
}

/** The same acts of people, whatever happens to the host in between. */
async function live(rig: Rig, crash: (name: string) => boolean): Promise<void> {
  let crashed = false;
  rig.onCrashPoint = (name) => {
    if (crashed || !crash(name)) return;
    crashed = true;
    rig.life.end();
  };
  const quiet = async (): Promise<void> => {
    const gone = Promise.withResolvers<void>();
    const watch = rig.onCrashPoint;
    rig.onCrashPoint = (name) => {
      watch(name);
      if (rig.life.over) gone.resolve();
    };
    await Promise.race([rig.idle(), gone.promise]);
    rig.onCrashPoint = watch;
    if (!rig.life.over) return;
    await rig.restart();
    await rig.pass(10_000);
    await rig.pass(SECOND_LOOKUP_MS);
  };
  await rig.engine.handle(labeled(rig, 1));
  await quiet();
  await rig.engine.handle(said(rig, 1, "/flotilla answer The second."));
  await quiet();
  await rig.engine.handle(closed(rig, 2));
  await quiet();
  await rig.engine.handle(checked(rig, { build: "green" }));
  await quiet();
}

/** What the model says again after a restart depends on where it was; here it continues with the step that was cut off. */
const resuming = (...steps: Parameters<typeof on>[1][]) => [
  on(
    1,
    ...(SCRIPT[0]?.steps.slice(0, -1) ?? []),
    after("interrupted by a restart", steps[0] ?? complete),
    ...steps.slice(1),
  ),
];

let cleanOutcome: ReturnType<typeof outcome> | undefined;

/** The outcome of a life without a crash. */
function clean(): ReturnType<typeof outcome> {
  cleanOutcome ??= (async () => {
    const rig = await createRig({ script: SCRIPT, settings: SETTINGS });
    await live(rig, () => false);
    const seen = await outcome(rig);
    await rig.close();
    return seen;
  })();
  return cleanOutcome;
}

const points: readonly (readonly [string, number, ReturnType<typeof resuming>])[] = [
  ["effect:open_session", 1, resuming(escalate)],
  ["session:opened", 1, resuming(escalate)],
  ["session:stopped", 1, resuming()],
  ["commit:checked", 1, resuming(commit, openPr, thanksAndOpens, complete)],
  ["effect:open_session", 2, resuming(edit(), blocked(2))],
  ["effect:open_session", 3, resuming(commit, openPr, thanksAndOpens, complete)],
  ["effect:close_session", 1, resuming()],
  ["effect:close_session", 2, resuming()],
  ["effect:close_session", 3, resuming()],
  ["effect:close_session", 4, resuming()],
  ["effect:status_comment", 1, resuming(escalate)],
  ["effect:status_comment", 2, resuming(escalate)],
  ["effect:status_comment", 4, resuming(escalate)],
  ["effect:post_comment", 1, resuming()],
  ["effect:post_comment", 2, resuming()],
  ["effect:post_comment", 3, resuming(complete)],
  ["effect:add_labels", 1, resuming()],
  ["effect:remove_label", 1, resuming(edit(), blocked(2))],
  ["effect:task_label", 1, resuming(escalate)],
  ["effect:react", 1, resuming(edit(), blocked(2))],
  ["effect:add_blocked_by", 1, resuming()],
  ["effect:recheck_blocker", 1, resuming()],
  ["effect:look_at_checks", 1, resuming()],
  ["effect:look_at_checks", 2, resuming()],
  ["evidence:command", 1, resuming()],
  ["effect:commit", 1, resuming(openPr, thanksAndOpens, complete)],
  ["effect:open_pr", 1, resuming(thanksAndOpens, complete)],
  ["effect:create_blocker_issue", 1, resuming(complete)],
  ["effect:look_at_issue", 1, resuming()],
  ["effect:remove_worktree", 1, resuming()],
  ["turn:message", 1, resuming(escalate)],
  ["turn:told", 1, resuming(edit(), blocked(2))],
  ["turn:told", 2, resuming(commit, openPr, thanksAndOpens, complete)],
  ["turn:intent", 1, resuming()],
  ["turn:intent", 2, resuming()],
  ["turn:intent", 3, resuming()],
  ["turn:ended", 1, resuming()],
  ["effect:pull_facts", 1, resuming(thanksAndOpens, complete)],
  ["turn:ended", 2, resuming()],
  ["turn:ended", 3, resuming()],
];

it("lets the work of these tests use every kind of effect", async () => {
  const rig = await aRig({ script: SCRIPT, settings: SETTINGS });
  const seen = new Set<string>();
  await live(rig, (name) => {
    seen.add(name);
    return false;
  });
  expect(await stateOf(rig)).toBe("COMPLETED");
  // No work of one agent opens an incident, and none that has begun has open blockers; this one asks no question, and
  // what is kept is kept for days. `incident.test.ts`, `open-blockers.test.ts`,
  // `questions-in-time.test.ts`, `unsaved-work.test.ts`, `review-checks-crash.test.ts`,
  // `review-crash.test.ts`, `second-attempt.test.ts`, `planner.test.ts`, `propose-file.test.ts`, `base-branch.test.ts`, `backport.test.ts` and, for the merge queue, `merge-queue.test.ts` end the process at those.
  // One node alone asks no other to interrupt: `commands/elsewhere.test.ts` loses the node that is asked.
  // Nobody is told outside of GitHub, nothing is scheduled, and no role looks back: `notices.test.ts`, `schedules.test.ts`,
  // `lessons.test.ts`.
  const elsewhere = [
    "interrupt",
    "notify",
    "open_incident",
    "open_scheduled",
    "look_at_blockers",
    "question_comment",
    "forget_work",
    "look_at_train",
    "update_branch",
    "merge_pull",
    "look_at_review_checks",
    "rerun_check",
    "create_sub_issue",
    "create_backport",
    "close_issue",
    "offer_review",
    "offer_attempt",
    "publish_verdict",
    "publish_review",
    "propose_file",
    "offer_lesson",
    "propose_lesson",
  ];
  const kinds = Object.keys(CATALOG).filter((kind) => !elsewhere.includes(kind));
  for (const kind of kinds) expect(seen).toContain(`effect:${kind}`);
  // In each of a thousand facts and effects: a real process dies at these in `test/journeys/crash.test.ts`.
  const journeys = ["delivery:claimed", "fact:decided", "effect:leased"];
  const named = new Set([...journeys, ...points.map(([name]) => name)]);
  expect([...seen].filter((name) => !named.has(name))).toEqual([]);
});

it.each(points)("ends the same after a crash at %s, time %i", async (point, time, script) => {
  // Only the second look finds what the life before wrote.
  const rig = await aRig({ script, settings: SETTINGS, lagMs: 11_000 });
  let met = 0;
  await live(rig, (name) => {
    met += name === point ? 1 : 0;
    return name === point && met === time;
  });
  expect(met).toBeGreaterThanOrEqual(time);
  expect(await outcome(rig)).toEqual(await clean());
  // That a person answered is kept as one; nothing was held back or refused.
  expect((await decisionsOn(rig)).filter((rule) => rule !== "persons_act")).toEqual([]);
});

it("reaps processes that the earlier life left, and says what it found", async () => {
  const rig = await aRig({ script: [on(1, { ...edit(), delayMs: 1000 })] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  const [session] = rig.runtime.running;
  let asked: readonly string[] = [];
  rig.runtime.reap = (sessions) => {
    asked = sessions.map(({ sessionId }) => sessionId);
    return Promise.resolve(1);
  };
  rig.life.end();
  await rig.restart();
  expect(asked).toEqual([session, `${session}-evaluation`]);
  expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart", wakes: 0 });
  expect(await rig.engine.recover()).toEqual({ effects: 0, deliveries: 0, processes: 1, agents: 0 });
});

it("does not hear an engine of an earlier life any more", async () => {
  const rig = await aRig({ script: [on(1, escalate)] });
  const old = rig.engine;
  await rig.restart();
  await tell(rig, labeled(rig, 1));
  const writes = rig.github.writes.length;
  void old.tick();
  await rig.idle();
  expect(rig.github.writes).toHaveLength(writes);
});
