import { limitsOf } from "../../engine/limits-of.ts";
import { sessionsOf } from "../../engine/look.ts";
import { labeled } from "../../engine/people.ts";
import { aRig, type Rig, type RigOptions } from "../../engine/rig.ts";
import { blocked, edit, escalate, on, onAttempt, type Step, slowly, work } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { STATES_003, type State003 } from "./states.ts";

export const KEY = "acme/shop:feat-dev-issue-1";
const SLOW = slowly(MINUTE, edit());
const act = { agent: KEY, by: "operator:root", reason: null };

async function begun(options: RigOptions): Promise<Rig> {
  const script = [onAttempt(1, 2, SLOW), ...(options.script ?? [])];
  const rig = await aRig({ ...options, script });
  await rig.engine.handle(labeled(rig, 1));
  return rig;
}

async function atWork(): Promise<Rig> {
  const rig = await begun({ script: [on(1, SLOW, SLOW)] });
  await rig.until("it talks", () => rig.runtime.requests.length === 1);
  return rig;
}

async function asleep(): Promise<Rig> {
  const rig = await begun({ script: [on(1, blocked(2), SLOW)] });
  await rig.idle();
  return rig;
}

/** No slot is free: it has not begun, and so has no conversation. */
export async function notBegun(): Promise<Rig> {
  const { runtime } = someSettings();
  const rig = await begun({ settings: { runtime: { ...runtime, maxConcurrentAgents: 0 } } });
  await rig.idle();
  return rig;
}

/** Its process takes longer to begin than the test lasts. */
async function beingOpened(): Promise<Rig> {
  const rig = await aRig({ script: [onAttempt(1, 2, SLOW), on(1, SLOW)] });
  rig.runtime.open = () => Promise.withResolvers<never>().promise;
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it is being opened", async () => (await sessionsOf(rig).catch(() => [])).length === 1);
  return rig;
}

/** The host was killed, and what it left has not been cleaned up yet. */
async function leftBehind(): Promise<Rig> {
  const rig = await atWork();
  await rig.restart();
  return rig;
}

/** An agent that escalated or completed: what its conversation is then, and whether it is revived. */
export const REVIVED: readonly {
  readonly agent: "ESCALATED" | "COMPLETED";
  readonly session: Stored003;
  readonly revived: boolean;
  readonly rig: () => Promise<Rig>;
}[] = [
  { agent: "ESCALATED", session: "idle", revived: true, rig: () => ended(escalate) },
  { agent: "COMPLETED", session: "stopped", revived: false, rig: () => ended(...work) },
];

async function ended(...steps: readonly Step[]): Promise<Rig> {
  const rig = await begun({ script: [on(1, ...steps)] });
  await rig.idle();
  return rig;
}

/** A state that is stored: `unspecified` lasts no longer than the transaction that makes the row. */
export const STORED_003 = STATES_003.filter((state) => state !== "unspecified");
export type Stored003 = Exclude<State003, "unspecified">;

/** One agent in the running engine whose conversation has come to this state. */
export const AT: Readonly<Record<Stored003, () => Promise<Rig>>> = {
  starting: beingOpened,
  running: atWork,
  idle: asleep,
  waiting_approval: async () => {
    const rig = await begun({ script: [on(1, edit(), SLOW)], settings: limitsOf({ maxTurns: 1 }) });
    await rig.idle();
    return rig;
  },
  paused: async () => {
    const rig = await asleep();
    await rig.engine.operations.pause({ ...act, id: "p" });
    return rig;
  },
  stopping: leftBehind,
  stopped: async () => {
    const rig = await asleep();
    await rig.engine.operations.kill({ ...act, id: "k" });
    await rig.idle();
    return rig;
  },
  failed: async () => {
    const rig = await begun({ script: [on(1, { error: { status: 400, message: "no such model" } })] });
    await rig.idle();
    return rig;
  },
};
