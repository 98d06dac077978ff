import type { SleepReason } from "../../../src/domain/agents/agent-record.ts";
import { GitError, GitHubError } from "../../../src/domain/kernel/errors.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { asked } from "../asking.ts";
import { limitsOf } from "../limits-of.ts";
import { agentOf, sessionsOf } from "../look.ts";
import { checked, closed, labeled, reviewed, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { blocked, commit, edit, on, openPr, review, type Step, work } from "../scripts.ts";
import { ASKING, agentDoes, atWork, curl, waits } from "../together/work-under-way.ts";
import { gitGoes, gitIsBack } from "./git-away.ts";
import type { Situation } from "./situation.ts";

async function begun(script: readonly Step[], options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [on(1, ...script)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** What its start needs is away. */
async function away(error?: () => Error): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...work)] });
  gitGoes(rig, error);
  await tell(rig, labeled(rig, 1));
  return rig;
}

const AWAY = { first: gitIsBack, next: /^it retries automatically; `\/flotilla retry` tries at once$/ };

async function backAndLater(rig: Rig): Promise<void> {
  await gitIsBack(rig);
  await rig.pass(HOUR);
}

/** Asleep by a move that is handed in. */
async function waitsFor(ms: number): Promise<Rig> {
  const rig = await atWork();
  const dueAt = rig.clock.now() + ms;
  await agentDoes(rig, { ...waits(rig, "review"), reason: "time", dueAt, detail: "" });
  await rig.idle();
  return rig;
}

const pullOf = async (rig: Rig) => (await agentOf(rig)).prNumber ?? 0;
const checks = { evidence: { ...someSettings().evidence, requiredChecks: ["build"] } };
const atLimit = () =>
  begun([edit(), commit, openPr, edit("b.ts"), edit("c.ts")], { settings: limitsOf({ maxTurns: 3 }) });

/** For each reason of a sleep at least one way into it. */
export const SLEEPS: Readonly<Record<SleepReason, Readonly<Record<string, Situation>>>> = {
  blocked: {
    "by another issue": {
      state: "SLEEPING",
      make: () => begun([blocked(2)]),
      now: /^waits for #2 to be closed$/,
      next: /^it wakes when #2 is closed; /,
      goesOn: (rig) => tell(rig, closed(rig, 2)),
    },
    "by the merge of another agent's work": {
      state: "SLEEPING",
      make: async () => {
        const rig = await aRig({ script: [on(1, blocked(2), ...work), on(2, ...work)] });
        await tell(rig, labeled(rig, 1), labeled(rig, 2));
        return rig;
      },
      now: /^waits for #2: its pull request #\d+ waits for a merge$/,
      next: /^it wakes when #\d+ is merged; /,
      goesOn: (rig) => tell(rig, closed(rig, 2)),
    },
  },
  review: {
    "of its pull request": {
      state: "SLEEPING",
      make: () => begun([edit(), commit, openPr, review]),
      now: /^waits for a review of #\d+$/,
      next: /^review #\d+ on GitHub$/,
      goesOn: async (rig) => tell(rig, reviewed(rig, await pullOf(rig), "changes_requested")),
    },
  },
  question: {
    "to people": {
      state: "SLEEPING",
      make: () => asked(),
      now: /^waits for an answer: Which licence shall it have\?/,
      next: /answer its comment, or say `\/flotilla answer <text>`/,
    },
  },
  approval: {
    "of a risky call": {
      state: "SLEEPING",
      make: () => begun([edit(), curl], ASKING),
      now: /^waits for a person's approval/,
      next: /`\/flotilla approve`, or `\/flotilla deny <reason>`/,
    },
    "at the turn limit": {
      state: "SLEEPING",
      make: atLimit,
      now: /^waits for a person at the limit `max_turns`/,
      next: /`\/flotilla continue \[n\]`.*`\/flotilla complete`/,
    },
  },
  checks: {
    "of its commit": {
      state: "SLEEPING",
      make: () => begun(work, { settings: checks }),
      now: /^waits for the checks: build/,
      next: /^it wakes when they are done$/,
      goesOn: (rig) => tell(rig, checked(rig, { build: "green" })),
    },
  },
  provider_limit: {
    "of the model": {
      state: "SLEEPING",
      make: () => begun([{ error: { status: 429, message: "Slow down." } }, ...work]),
      now: /^waits for a limit to pass, not before .* UTC/,
      next: /retries automatically; `\/flotilla retry` tries at once/,
      goesOn: (rig) => rig.pass(HOUR),
    },
  },
  retry: {
    "because git is away": {
      ...AWAY,
      state: "SLEEPING",
      make: () => away(),
      now: /^waits to try again, not before .* UTC: GitHub's git server cannot be reached: .* 503$/,
      goesOn: backAndLater,
    },
    "because GitHub is away": {
      ...AWAY,
      state: "SLEEPING",
      make: () => away(() => new GitHubError("unavailable", "No answer", 0, { consequence: "retry" })),
      now: /^waits to try again, not before .* UTC: GitHub cannot be reached: No answer$/,
      goesOn: backAndLater,
    },
    "because the disk is full": {
      ...AWAY,
      state: "SLEEPING",
      make: () => away(() => new GitError("disk_full", "no space left", { consequence: "stop" })),
      now: /^waits to try again, not before .* UTC: the disk is full: no space left$/,
      goesOn: backAndLater,
    },
    "because its process died": {
      state: "SLEEPING",
      make: async () => {
        const rig = await atWork();
        for (const { sessionId } of await sessionsOf(rig)) rig.runtime.kill(sessionId);
        await rig.idle();
        return rig;
      },
      now: /^waits to try again, not before .* UTC: /,
      next: AWAY.next,
      goesOn: (rig) => rig.work(HOUR),
    },
  },
  restart: {
    "of the host, after which everything is paused": {
      state: "SLEEPING",
      make: async () => {
        const rig = await atWork();
        await rig.engine.stop();
        const pause = { scope: "all", holder: "person", by: "ann", reason: null } as const;
        await rig.store.scopePauses.add({ ...pause, since: rig.clock.now() });
        await rig.restart();
        await rig.idle();
        return rig;
      },
      now: /^waits to continue after a restart of the host \(held: everything is paused by ann\)$/,
      next: /^`flotilla resume --all` lifts it$/,
    },
  },
  time: {
    "that it asked for": {
      state: "SLEEPING",
      // No tool asks for it yet.
      make: () => waitsFor(30 * MINUTE),
      now: /^waits for a set time, not before/,
      next: /^it wakes automatically$/,
      goesOn: (rig) => rig.work(31 * MINUTE),
    },
  },
  paused: {
    "by a person": {
      state: "SLEEPING",
      make: async () => {
        const rig = await atWork();
        await tell(rig, said(rig, 1, "/flotilla pause"));
        return rig;
      },
      now: /^paused by @alice$/,
      next: /^`\/flotilla resume` on the issue lets it continue$/,
    },
  },
};
