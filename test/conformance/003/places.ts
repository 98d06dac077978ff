import type { SessionState } from "../../../src/core/machines/session.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, sessionsOf } from "../../engine/look.ts";
import { moveBy } from "../../engine/move-by.ts";
import { labeled } from "../../engine/people.ts";
import { aRig, type Rig, type RigOptions } from "../../engine/rig.ts";
import { blocked, edit, on, onAttempt, slowly } from "../../engine/scripts.ts";
import { MINUTE } from "../../factories/moment.ts";
import type { State003 } from "./states.ts";

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

/** Its conversation has this state for a moment in which nobody can ask from outside: written as it then stands. */
async function momentarily(state: SessionState): Promise<Rig> {
  const rig = await atWork();
  const session = (await sessionsOf(rig)).at(-1);
  if (session === undefined) throw new Error("it has no conversation");
  await rig.store.records.save("session", session, { ...session, state });
  return rig;
}

/** One agent in the running engine whose conversation shows this state to those who operate it. */
export const AT: Readonly<Record<State003, () => Promise<Rig>>> = {
  unspecified: () => momentarily("unspecified"),
  starting: async () => {
    const rig = await aRig({ script: [onAttempt(1, 2, SLOW), on(1, SLOW)] });
    // Its process takes longer to begin than the test lasts.
    rig.runtime.open = () => Promise.withResolvers<never>().promise;
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it is being opened", async () => (await sessionsOf(rig).catch(() => [])).length === 1);
    return rig;
  },
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
  stopping: () => momentarily("stopping"),
  stopped: async () => {
    const rig = await asleep();
    await rig.engine.operations.kill({ ...act, id: "k" });
    return rig;
  },
  failed: async () => {
    const rig = await atWork();
    const { id } = await agentOf(rig);
    const at = rig.clock.now();
    const event = {
      type: "FAIL",
      at,
      actor: "flotilla",
      reason: "it broke",
      breaker: null,
      code: "model_refused",
    } as const;
    await moveBy(rig, { machine: "agent", id, event });
    return rig;
  },
};
