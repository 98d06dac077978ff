import type { Move } from "../../../src/domain/kernel/change-set.ts";
import { personAs } from "../../../src/domain/review/reviewer.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { person } from "../../fakes/github-world.ts";
import { agentOf, runOf, sessionsOf, stateOf, taskOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { moveBy } from "../move-by.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { call, commit, edit, on, openPr, type Step, slowly, work } from "../scripts.ts";

/** The model's answer takes so long that the test is done before. */
export const SLOW = slowly(30 * MINUTE, edit("more.ts"));

/** A coder of issue 1 that has committed once and waits for the model's next word. */
export async function atWork(
  options: RigOptions & { next?: Step; rest?: readonly Step[] } = {},
): Promise<Rig> {
  const { next = SLOW, rest = [SLOW, SLOW], script = [] } = options;
  const rig = await aRig({ ...options, script: [...script, on(1, edit(), commit, openPr, next, ...rest)] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it waits for the model", () => rig.runtime.requests.length === 4);
  await rig.quiet();
  return rig;
}

/** The same, about to say `step` within a minute: `saying` lets it. */
export async function about(step: Step, options: RigOptions = {}): Promise<Rig> {
  return atWork({ ...options, next: slowly(MINUTE, step) });
}

export async function saying(rig: Rig): Promise<void> {
  await rig.work(MINUTE);
  await rig.idle();
}

/** A coder of issue 1 that is done: its work is up for review. */
export async function done(options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [...(options.script ?? []), on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** Until the agent is awake and its conversation runs; the model's next word is slow. */
export async function awake(rig: Rig, name?: string): Promise<void> {
  await rig.until("it is awake", async () => {
    if ((await stateOf(rig, name)) !== "ACTIVE") return false;
    return (await sessionsOf(rig, name)).at(-1)?.state === "running";
  });
  await rig.quiet();
}

/** The engine begins nothing, neither agents nor effects, until time passes. */
export function standsStill(rig: Rig): void {
  const passes = new Promise<void>((resolve) => rig.clock.after(1, resolve));
  const dueAgents = methodOf(rig.store.wakes, "dueAgents");
  rig.store.wakes.dueAgents = async (now) => {
    await passes;
    return dueAgents(now);
  };
}

type OfAgent = Extract<Move, { machine: "agent" }>["event"];
type OfRun = Extract<Move, { machine: "run" }>["event"];
type OfTask = Extract<Move, { machine: "task" }>["event"];

/** Facts that nothing outside tells yet, handed in. */
export async function agentDoes(rig: Rig, event: OfAgent, name?: string): Promise<void> {
  await moveBy(rig, { machine: "agent", id: (await agentOf(rig, name)).id, event });
}

export async function runDoes(rig: Rig, event: OfRun, name?: string): Promise<void> {
  await moveBy(rig, { machine: "run", id: (await runOf(rig, name))?.id ?? 0, event });
}

export async function taskDoes(rig: Rig, ...events: readonly OfTask[]): Promise<void> {
  const id = (await taskOf(rig))?.id ?? 0;
  await moveBy(rig, ...events.map((event): Move => ({ machine: "task", id, event })));
}

export const host = (rig: Rig) => ({ at: rig.clock.now(), actor: "flotilla" });

export const waits = (rig: Rig, reason: "review" | "approval" | "provider_limit") => ({
  ...host(rig),
  type: "WAIT" as const,
  reason,
  dueAt: reason === "provider_limit" ? rig.clock.now() + MINUTE : null,
  crash: false,
  breaker: null,
  detail: `for ${reason}`,
});

/** It asked for a review and sleeps until that is given. */
export async function inReview(): Promise<Rig> {
  const rig = await atWork();
  await requestReview(rig);
  return rig;
}

export async function requestReview(rig: Rig): Promise<void> {
  await runDoes(rig, { ...host(rig), type: "STEP_COMPLETE" });
  await agentDoes(rig, waits(rig, "review"));
  await rig.idle();
}

/** The number of the pull request that was opened last. */
export const pullOf = (rig: Rig) => [...rig.repository.pulls.keys()].at(-1) ?? 0;

const { runtime } = someSettings();

/** A risky call, in the mode in which a person is asked about it. */
export const ASKING = { settings: { runtime: { ...runtime, permissionMode: "ask" as const } } };
export const curl = call("bash", { command: "curl https://example.com/" });

/** The approval of a person; the last one that is needed. */
export async function approve(rig: Rig): Promise<void> {
  const commitOf = (await taskOf(rig))?.reviewCommit ?? "";
  await taskDoes(rig, {
    ...host(rig),
    type: "APPROVE",
    ...personAs(person("alice")),
    author: "feat-dev-issue-1",
    commit: commitOf,
    reviewers: 1,
    leaseToken: null,
  });
}

/** It said `step` and lies down. */
export async function after(step: Parameters<typeof about>[0], options = {}): Promise<Rig> {
  const rig = await about(step, options);
  await saying(rig);
  return rig;
}

/** A person says it, and the agent is awake. */
export const saysAndWakes = (words: string) => async (rig: Rig) => {
  await rig.engine.handle(said(rig, 1, words));
  await awake(rig);
};
