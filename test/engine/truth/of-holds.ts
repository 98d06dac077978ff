import type { Hold } from "../../../src/domain/breakers/hold.ts";
import type { RepositoryEventOf } from "../../../src/domain/events/repository-event.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { person } from "../../fakes/github-world.ts";
import { runOf } from "../look.ts";
import { labeled, locked, pushed, said, tell } from "../people.ts";
import { milestoned } from "../plans.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, edit, on, slowly, work } from "../scripts.ts";
import { agentDoes, atWork, host } from "../together/work-under-way.ts";
import { gitGoes, gitIsBack } from "./git-away.ts";
import type { Situation } from "./situation.ts";

const BRANCH = "flotilla/feat-dev/issue-1";
const GIB = 1024 ** 3;

async function paused(act: (rig: Rig) => Promise<unknown>): Promise<Rig> {
  const rig = await atWork();
  await act(rig);
  await rig.idle();
  return rig;
}

/** It sleeps for another issue already when it is held. */
async function asleep(act: (rig: Rig) => Promise<unknown>): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await act(rig);
  await rig.idle();
  return rig;
}

const news = (rig: Rig, change: RepositoryEventOf<"repository_changed">["change"], isPrivate = true) =>
  rig.engine.handle({
    type: "repository_changed",
    delivery: `news-${change}`,
    at: rig.clock.now(),
    actor: person("alice"),
    repository: aRepository({ private: isPrivate }),
    change,
    was: null,
  });

const installed = (rig: Rig, change: RepositoryEventOf<"installation_changed">["change"]) =>
  rig.engine.handle({
    type: "installation_changed",
    delivery: `news-${change}`,
    at: rig.clock.now(),
    actor: person("alice"),
    installationId: REPOSITORY.installationId,
    change,
  });

/** The agent of issue 1 is at work when the sprint of goal #9 comes to a checkpoint. */
async function atCheckpoint(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, slowly(HOUR, edit()), ...work)], issues: 9 });
  for (const number of [1, 9]) milestoned(rig, number, { number: 2, title: "First release", dueOn: null });
  await tell(rig, labeled(rig, 9, { label: "goal" }));
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it works", async () => (await runOf(rig))?.state === "planning");
  await tell(rig, said(rig, 9, "/flotilla checkpoint"));
  return rig;
}

/** So many meet the same error that it counts as an incident. */
async function inIncident(): Promise<Rig> {
  const rig = await aRig({ issues: 4, script: [1, 2, 3].map((issue) => on(issue, ...work)) });
  gitGoes(rig);
  for (const issue of [1, 2, 3]) await tell(rig, labeled(rig, issue));
  for (let minute = 0; minute < 30; minute += 1) await rig.pass(MINUTE);
  return rig;
}

const RESUME = /^`\/flotilla resume` on the issue lets it continue/;

/** For each thing that can hold an agent at least one way in which it comes to that. */
export const HOLDS: Readonly<Record<Hold["by"], Readonly<Record<string, Situation>>>> = {
  person: {
    "one that waits to start": {
      state: "CREATED",
      make: async () => {
        const rig = await aRig({ script: [on(1, ...work)] });
        rig.repository.blockedBy.set(1, new Set([2]));
        await tell(rig, labeled(rig, 1), said(rig, 1, "/flotilla pause"));
        return rig;
      },
      now: /^waits to start \(paused by @alice\)$/,
      next: RESUME,
    },
    "a sleeper": {
      state: "SLEEPING",
      make: () => asleep((rig) => tell(rig, said(rig, 1, "/flotilla pause"))),
      now: /^waits for #2 to be closed \(paused by @alice\)$/,
      next: RESUME,
    },
  },
  commit: {
    "a sleeper": {
      state: "SLEEPING",
      make: () => asleep((rig) => tell(rig, pushed(rig, BRANCH, { "theirs.ts": "1" }, { by: "bob" }))),
      now: /^waits for #2 to be closed \(held: .*bob.*\)$/,
      next: RESUME,
    },
  },
  lock: {
    "one at work": {
      state: "SLEEPING",
      make: () => paused((rig) => tell(rig, locked(rig, 1, true))),
      now: /^paused, because .*locked.*$/,
      next: /^it continues when the issue is unlocked$/,
      goesOn: (rig) => rig.engine.handle(locked(rig, 1, false)),
    },
  },
  sprint: {
    "one at work": {
      state: "SLEEPING",
      make: atCheckpoint,
      now: /^paused, because its sprint "First release" is at CHECKPOINT: @alice asked for a checkpoint$/,
      next: /^`\/flotilla continue` on #9 \(the goal's tracking issue\) lets it continue$/,
    },
  },
  invariant: {
    "one at work": {
      state: "SLEEPING",
      make: () =>
        paused(async (rig) => {
          await agentDoes(rig, {
            ...host(rig),
            type: "PAUSE",
            holder: "invariant",
            why: "two tasks claim it",
          });
        }),
      now: /^paused, because two tasks claim it$/,
      next: /`flotilla doctor`.*`flotilla agents resume`.*`flotilla agents kill`/,
    },
  },
  incident: {
    "one whose start fails like that of others": {
      state: "SLEEPING",
      make: inIncident,
      first: gitIsBack,
      now: /^waits to try again, not before .*503 \(held: .*incident.*\)$/,
      next: /^the pause ends when the incident is over; `\/flotilla retry` tries at once$/,
    },
  },
  pause: {
    everything: {
      state: "SLEEPING",
      make: () =>
        paused((rig) => rig.engine.operations.pauseScope({ scope: "all", by: "ann", reason: "too dear" })),
      now: /^paused, because everything is paused by ann: too dear$/,
      next: /^`flotilla resume --all` lifts it$/,
    },
    "a repository, with one that sleeps": {
      state: "SLEEPING",
      make: () =>
        asleep((rig) => rig.engine.operations.pauseScope({ scope: "repository:7", by: "ann", reason: null })),
      now: /^waits for #2 to be closed \(held: this repository is paused by ann\)$/,
      next: /^`flotilla resume --repo owner\/name` lifts it$/,
    },
    "one that needs a person": {
      state: "ESCALATED",
      make: async () => {
        const rig = await paused((one) =>
          agentDoes(one, {
            ...host(one),
            type: "ESCALATE",
            reason: "Which one?",
            category: "decision",
            question: null,
            breaker: null,
          }),
        );
        await rig.engine.operations.pauseScope({ scope: "all", by: "ann", reason: null });
        await rig.idle();
        return rig;
      },
      first: (rig) => rig.engine.operations.resumeScope({ scope: "all", by: "alice" }),
      now: /^needs a person: Which one\? \(held: everything is paused by ann\)$/,
      next: /^`flotilla resume --all` lifts it; then answer in a comment, or say `\/flotilla resume`/,
    },
  },
  suspended: {
    "one at work": {
      state: "SLEEPING",
      silent: true,
      make: () => paused((rig) => installed(rig, "suspended")),
      now: /^paused, because the App's installation was suspended by @alice$/,
      next: /^it continues when the installation is unsuspended/,
      goesOn: (rig) => installed(rig, "unsuspended"),
    },
  },
  archived: {
    "one at work": {
      state: "SLEEPING",
      silent: true,
      make: () => paused((rig) => news(rig, "archived")),
      now: /^paused, because the repository was archived by @alice$/,
      next: /^it continues when the repository is unarchived$/,
      goesOn: (rig) => news(rig, "unarchived"),
    },
  },
  disk: {
    "one that waits to start": {
      state: "CREATED",
      make: async () => {
        const rig = await aRig({ script: [on(1, ...work)] });
        rig.disk.freeBytes = GIB / 4;
        await rig.engine.watchDisk();
        await tell(rig, labeled(rig, 1));
        return rig;
      },
      now: /^waits to start \(held: the disk .*\)$/,
      next: /^it continues when the disk has room again$/,
      goesOn: async (rig) => {
        rig.disk.freeBytes = 90 * GIB;
        rig.clock.advance(MINUTE);
        await rig.engine.watchDisk();
      },
    },
  },
  confinement: {
    "one at work": {
      state: "SLEEPING",
      make: () => paused((rig) => news(rig, "publicized", false)),
      now: /^paused.*public.*unconfined/,
      next: /a sandbox, or the repository is made private$/,
      goesOn: (rig) => news(rig, "privatized"),
    },
  },
};
