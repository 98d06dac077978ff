import type { AgentState } from "../../../src/domain/agents/agent-record.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { withoutPutOff } from "../../factories/put-off.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf } from "../look.ts";
import { approvedWork } from "../merge-queue-rig.ts";
import { closed, issueOf, labeled, pullClosed, reviewed, said, tell } from "../people.ts";
import { coding, ran, reviewing, reviewRig, verdict } from "../reviewer-rig.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { blocked, edit, escalate, on, onAttempt, slowly, work } from "../scripts.ts";
import { atWork } from "../together/work-under-way.ts";
import type { Situation } from "./situation.ts";
import { written } from "./work-rigs.ts";

const { runtime } = someSettings();
const AGAIN = /^`\/flotilla retry` makes a new attempt$/;

async function waitsToStart(options: RigOptions, before?: (rig: Rig) => void): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work), on(2, slowly(HOUR, edit()))], ...options });
  before?.(rig);
  await rig.engine.handle(labeled(rig, 1));
  await rig.idle();
  return rig;
}

/** Another agent has the only slot. */
async function withoutSlot(): Promise<Rig> {
  const settings = { runtime: { ...runtime, maxConcurrentAgents: 1 } };
  const rig = await aRig({
    settings,
    script: [on(1, ...work), on(2, slowly(9 * MINUTE, edit()), blocked(3))],
  });
  await rig.engine.handle(labeled(rig, 2));
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  await rig.engine.handle(labeled(rig, 1));
  await rig.engine.tick();
  await rig.until("that is said", async () => (await rig.store.decisions.ofIssue(7, 1, 1)).length > 0);
  await rig.engine.handle(said(rig, 1, "/flotilla status"));
  await rig.until("the status is written", async () => {
    await rig.engine.tick();
    return (
      rig.repository.reactions.length > 0 &&
      withoutPutOff(await rig.store.effects.find({ state: "pending" }), rig.clock.now()).length === 0
    );
  });
  return rig;
}

async function done(script = on(1, ...work)): Promise<Rig> {
  const rig = await aRig({ script: [onAttempt(1, 2, escalate), script] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** It is at work beyond `max_active_duration`. */
async function tooLong(): Promise<Rig> {
  const rig = await atWork({ settings: limitsOf({ maxActiveDurationMs: 10 * MINUTE }) });
  await rig.work(12 * MINUTE);
  await rig.idle();
  return rig;
}

const pullOf = async (rig: Rig) => (await agentOf(rig)).prNumber ?? 0;

/** For each state of an agent the ways into it that no other table has. */
export const STATES: Readonly<Record<AgentState, Readonly<Record<string, Situation>>>> = {
  CREATED: {
    "for want of a slot": {
      state: "CREATED",
      make: withoutSlot,
      now: /^waits to start \(no slot free: the only slot is in use\)$/,
      next: /^it starts automatically when a slot is free$/,
      goesOn: (rig) => rig.work(10 * MINUTE),
    },
    "for want of a budget": {
      state: "CREATED",
      make: () => waitsToStart({ settings: { repositoryPerDay: { maxCostUsd: undefined, maxAgents: 0 } } }),
      now: /^waits to start \(no budget left: the repository has started its 0 agents of today\)$/,
      next: /^it continues at midnight UTC, or say `\/flotilla budget \+N agents today`$/,
    },
    "for an open blocker": {
      state: "CREATED",
      make: () => waitsToStart({}, (rig) => void rig.repository.blockedBy.set(1, new Set([2]))),
      now: /^waits to start \(blocked: .*#2/,
      next: /#2|blocker/,
      goesOn: (rig) => rig.engine.handle(closed(rig, 2)),
    },
    "while GitHub does not say what blocks it": {
      state: "CREATED",
      make: () =>
        waitsToStart({}, (rig) => {
          for (let time = 0; time < 2; time += 1)
            rig.github.failNext(
              "blockedBy",
              new GitHubError("unavailable", "no answer", 0, { consequence: "retry" }),
              "before",
            );
        }),
      now: /^waits to start \(not started yet: /,
      next: /automatically/,
      goesOn: (rig) => rig.work(10 * MINUTE),
    },
  },
  ACTIVE: {
    "at work": {
      state: "ACTIVE",
      make: async () => {
        const rig = await atWork();
        await rig.engine.handle(said(rig, 1, "/flotilla status"));
        await written(rig);
        return rig;
      },
      now: /^does the work$/,
      next: /^it continues automatically; `\/flotilla pause` holds it, `\/flotilla cancel` ends it$/,
    },
  },
  SLEEPING: {
    "woken, and without a slot": {
      state: "SLEEPING",
      make: async () => {
        const settings = { runtime: { ...runtime, maxConcurrentAgents: 1 } };
        const script = [on(1, blocked(3), ...work), on(2, slowly(9 * MINUTE, edit()), blocked(3))];
        const rig = await aRig({ settings, script });
        await tell(rig, labeled(rig, 1));
        await rig.engine.handle(labeled(rig, 2));
        await rig.until("it talks", () => rig.runtime.requests.length === 2);
        await rig.engine.handle(closed(rig, 3));
        await rig.until("it is written", async () => {
          await rig.engine.tick();
          return (
            withoutPutOff(
              await rig.store.effects.find({ kind: "status_comment", state: "pending" }),
              rig.clock.now(),
            ).length === 0
          );
        });
        return rig;
      },
      now: /^was woken and waits to continue \(no slot free: the only slot is in use\)$/,
      next: /^it starts automatically when a slot is free$/,
      goesOn: (rig) => rig.work(10 * MINUTE),
    },
  },
  ESCALATED: {
    "with a question": {
      state: "ESCALATED",
      make: () => done(on(1, escalate)),
      now: /^needs a person: Two specs contradict each other/,
      next: /^answer in a comment, or say `\/flotilla resume`/,
      goesOn: (rig) => tell(rig, said(rig, 1, "The second one.")),
    },
  },
  COMPLETED: {
    "up for a person's review": {
      state: "COMPLETED",
      make: () => done(),
      now: /./,
      next: /^review #\d+ on GitHub$/,
      goesOn: async (rig) => {
        await tell(rig, reviewed(rig, await pullOf(rig), "changes_requested"));
        await tell(rig, said(rig, 1, "/flotilla status"));
      },
    },
    approved: {
      state: "COMPLETED",
      make: () => approvedWork(),
      now: /./,
      next: /^merge #\d+ on GitHub; to let Flotilla do it, set `merge.auto: true` and `level: merge`$/,
      goesOn: async (rig) => tell(rig, pullClosed(rig, await pullOf(rig), { merged: true })),
    },
    "a reviewer that has given its verdict": {
      state: "COMPLETED",
      agent: "reviewer",
      make: () => reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))]),
      now: /./,
      next: /^nothing: its work is done$/,
    },
  },
  FAILED: {
    "at work for too long": { state: "FAILED", make: tooLong, now: /max_active_duration/, next: AGAIN },
  },
  CANCELLED: {
    "by a person": {
      state: "CANCELLED",
      make: async () => {
        const rig = await done(on(1, blocked(2)));
        await tell(rig, said(rig, 1, "/flotilla cancel"));
        return rig;
      },
      now: /@alice cancelled it/,
      next: AGAIN,
    },
    "with its issue": {
      state: "CANCELLED",
      make: async () => {
        const rig = await done(on(1, blocked(2)));
        await tell(rig, closed(rig, 1));
        return rig;
      },
      // Reopened, and the engine has not heard of it.
      first: async (rig) => void Object.assign(issueOf(rig, 1), { state: "open" }),
      now: /closed/,
      next: /^to have a new attempt, say `\/flotilla retry` on the issue \(reopen it first if it is closed\)$/,
    },
  },
};
