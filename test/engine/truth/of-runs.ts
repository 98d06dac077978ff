import type { RunState } from "../../../src/domain/agents/run.ts";
import { PHASE_WORDS } from "../../../src/domain/status/agent-status.ts";
import { MINUTE } from "../../factories/moment.ts";
import { IN_PHASE, PHASES, type Phase } from "../in-phase.ts";
import { limitsOf } from "../limits-of.ts";
import { closed, labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, on, work } from "../scripts.ts";
import { atWork, done } from "../together/work-under-way.ts";

/** How the run of an agent came to a phase or an end, and what is said of the agent then. */
export interface RunSituation {
  readonly make: () => Promise<Rig>;
  readonly now: RegExp;
}

async function asleepThen(act: (rig: Rig) => Promise<unknown>): Promise<Rig> {
  const rig = await aRig({ script: [on(1, blocked(2), ...work)] });
  await tell(rig, labeled(rig, 1));
  await act(rig);
  await rig.idle();
  return rig;
}

/** What is said of an agent whose own state says more than its phase. */
const AT_REST: Readonly<Partial<Record<Phase, RegExp>>> = {
  waiting_input: /^waits for an answer/,
  waiting_agent: /^waits for #2 to be closed$/,
  waiting_approval: /^waits for a person at the limit `max_turns`/,
  paused: /^paused by @alice$/,
  error: /^waits for a limit to pass, not before .*overloaded/,
};

const phases = Object.fromEntries(
  PHASES.map((phase) => [
    phase,
    {
      "on its way": {
        make: async () => (await IN_PHASE[phase]()).rig,
        now: AT_REST[phase] ?? new RegExp(`^${PHASE_WORDS[phase]}$`),
      },
    },
  ]),
);

const none: Readonly<Record<string, RunSituation>> = {};

/** For each state of a run the ways into it. */
export const RUNS: Readonly<Record<RunState, Readonly<Record<string, RunSituation>>>> = {
  idle: {
    "before its agent starts": {
      make: async () => {
        const rig = await aRig({ script: [on(1, ...work)] });
        rig.repository.blockedBy.set(1, new Set([2]));
        await tell(rig, labeled(rig, 1));
        return rig;
      },
      now: /^waits to start/,
    },
  },
  initializing: phases["initializing"] ?? none,
  planning: phases["planning"] ?? none,
  executing: phases["executing"] ?? none,
  evaluating: phases["evaluating"] ?? none,
  adapting: phases["adapting"] ?? none,
  waiting_input: phases["waiting_input"] ?? none,
  waiting_agent: phases["waiting_agent"] ?? none,
  waiting_approval: phases["waiting_approval"] ?? none,
  paused: phases["paused"] ?? none,
  error: phases["error"] ?? none,
  succeeded: {
    "with a claim that was proved": { make: () => done(), now: /./ },
    "with a person's merge": {
      make: () => asleepThen((rig) => tell(rig, closed(rig, 1, { merged: 9 }))),
      now: /#9 was merged/,
    },
    "by a person's word": {
      make: () => asleepThen((rig) => tell(rig, said(rig, 1, "/flotilla complete"))),
      now: /@alice declared it complete/,
    },
  },
  failed: {
    "at work for too long": {
      make: async () => {
        const rig = await atWork({ settings: limitsOf({ maxActiveDurationMs: 10 * MINUTE }) });
        await rig.work(12 * MINUTE);
        await rig.idle();
        return rig;
      },
      now: /max_active_duration/,
    },
  },
  cancelled: {
    "by a person": {
      make: () => asleepThen((rig) => tell(rig, said(rig, 1, "/flotilla cancel"))),
      now: /@alice cancelled it/,
    },
    "with its issue": {
      make: () => asleepThen((rig) => tell(rig, closed(rig, 1))),
      now: /closed/,
    },
  },
};
