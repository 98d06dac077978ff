import type { RunState } from "../../src/domain/agents/run.ts";
import { MINUTE } from "../factories/moment.ts";
import { someSettings } from "../factories/some-settings.ts";
import { asks } from "./asking.ts";
import { limitsOf } from "./limits-of.ts";
import { agentOf, runOf } from "./look.ts";
import { methodOf } from "./method-of.ts";
import { labeled, said, tell } from "./people.ts";
import { aRig, type Rig, type RigOptions } from "./rig.ts";
import { blocked, commit, complete, edit, on, openPr, type Step, slowly } from "./scripts.ts";

/** The phases of a Run between its start and its end. */
export const PHASES = [
  "initializing",
  "planning",
  "executing",
  "evaluating",
  "adapting",
  "waiting_input",
  "waiting_agent",
  "waiting_approval",
  "paused",
  "error",
] as const satisfies readonly RunState[];
export type Phase = (typeof PHASES)[number];

/** The agent of issue 1 in a phase. */
export interface InPhase {
  readonly rig: Rig;
  /** Lets go what holds the agent there from outside. */
  readonly leave: () => void;
}

const slow = (step: Step) => slowly(30 * MINUTE, step);
const TEST = "npm test";

async function begun(steps: readonly Step[], options: RigOptions): Promise<Rig> {
  const rig = await aRig({ ...options, script: [...(options.script ?? []), on(1, ...steps)] });
  await rig.engine.handle(labeled(rig, 1));
  return rig;
}

async function working(phase: Phase, steps: readonly Step[], options: RigOptions): Promise<InPhase> {
  const rig = await begun(steps, options);
  // The model's next word is asked for: nothing more happens by itself.
  await rig.until(phase, async () => {
    const asked = rig.runtime.requests.length;
    return asked === steps.findIndex(({ delayMs }) => delayMs !== undefined) + 1;
  });
  return { rig, leave: () => {} };
}

/** An agent of issue 1 that says this, until nothing is under way. */
export async function idling(steps: readonly Step[], options: RigOptions = {}): Promise<Rig> {
  const rig = await begun(steps, options);
  await rig.idle();
  return rig;
}

async function resting(steps: readonly Step[], options: RigOptions): Promise<InPhase> {
  return { rig: await idling(steps, options), leave: () => {} };
}

const rest: readonly Step[] = [commit, openPr, complete];

/** How the engine comes to each phase. */
export const IN_PHASE: Readonly<Record<Phase, (options?: RigOptions) => Promise<InPhase>>> = {
  async initializing(options = {}) {
    const rig = await aRig({ ...options, script: [...(options.script ?? []), on(1, edit(), ...rest)] });
    const prepare = methodOf(rig.worktrees, "prepare");
    const { promise: ready, resolve: leave } = Promise.withResolvers<void>();
    let begins = false;
    rig.worktrees.prepare = async (...args) => {
      rig.worktrees.prepare = prepare;
      begins = true;
      await ready;
      return prepare(...args);
    };
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("its worktree is being made", () => begins);
    return { rig, leave };
  },
  planning: (options = {}) => working("planning", [slow(edit()), ...rest], options),
  executing: (options = {}) =>
    working("executing", [edit(), slow(commit), commit, openPr, complete], options),
  async evaluating(options = {}) {
    const evidence = { ...someSettings().evidence, commands: [TEST] };
    const settings = { evidence, ...options.settings };
    const rig = await aRig({
      ...options,
      settings,
      script: [...(options.script ?? []), on(1, edit(), ...rest)],
    });
    rig.runner.ends.set(TEST, "hang");
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("its command runs", () => rig.runner.ran.length > 0);
    return { rig, leave: () => void rig.runner.ends.delete(TEST) };
  },
  adapting: (options = {}) =>
    working("adapting", [edit(), complete, slow(commit), commit, openPr, complete], options),
  waiting_input: (options = {}) => resting([asks(), edit(), ...rest], options),
  waiting_agent: (options = {}) => resting([blocked(2), edit(), ...rest], options),
  waiting_approval: (options = {}) =>
    resting([edit(), edit("b.ts"), ...rest], {
      ...options,
      settings: { ...limitsOf({ maxTurns: 1 }), ...options.settings },
    }),
  async paused(options = {}) {
    const { rig, leave } = await IN_PHASE.executing(options);
    await tell(rig, said(rig, 1, "/flotilla pause"));
    return { rig, leave };
  },
  error: (options = {}) =>
    resting([{ error: { status: 503, message: "overloaded" } }, edit(), ...rest], options),
};

/** Its moves of the Run by this event, as `from → to`. */
export async function runMoves(rig: Rig, event: string): Promise<readonly string[]> {
  const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
  return moves
    .filter((move) => move.machine === "run" && move.event === event)
    .map(({ from, to }) => `${from} → ${to}`);
}

export const phaseOf = async (rig: Rig): Promise<RunState | undefined> => (await runOf(rig))?.state;
