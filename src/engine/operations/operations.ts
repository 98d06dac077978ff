import type { AgentRecord } from "../../core/machines/agent-record.ts";
import type { Scope } from "../../core/scope.ts";
import type { Changes } from "../changes.ts";
import type { EngineContext } from "../context.ts";
import type { Drivers } from "../drivers.ts";
import { complete, continueOn } from "./at-limit.ts";
import { type CallVerdict, decideCall } from "./decide-call.ts";
import { Once } from "./once.ts";
import { type FileWish, type ProposedPull, proposeFile } from "./propose-file.ts";
import { orDecision } from "./refused-operation.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { replayEffect } from "./replay-effect.ts";
import { pauseScope, resumeScope, type ScopePauseWish } from "./scope-pause.ts";
import { type SetAct, setOn } from "./set-on.ts";
import { type Act, type ActedOn, kill, pause, type ResumeAct, resume, retry, revive } from "./steer.ts";
import { type PlanAct, type PlanSteered, steerPlan } from "./steer-plan.ts";
import { interrupt, type Message, send } from "./talk.ts";
import { type Waited, type WaitWish, wait } from "./wait.ts";

/** Longest time that an emergency stop waits for processes: 10 s to end in good order, 5 s for the kill. */
const STOP_BOUND_MS = 15_000;

interface ScopeStopped {
  /** False when the scope was paused already. */
  readonly news: boolean;
  /** Names of the agents that were put to sleep. */
  readonly paused: readonly string[];
  /** Processes that had not ended when the time was over; they are killed all the same. */
  readonly stillStopping: number;
}

/** The asker's name of the request, where it has one. */
interface Named {
  readonly id?: string | undefined;
}

/** What an operator can ask of the running engine: the same request, by its id, is carried out once. Each throws `OperationError` when it is refused. */
export interface Operations {
  /** The emergency stop: pauses the scope, then ends every runtime process of it, within 15 s. */
  pauseScope(wish: Omit<ScopePauseWish, "holder"> & Named): Promise<ScopeStopped>;
  /** False when no person had paused exactly this scope. */
  resumeScope(scope: Scope, id?: string): Promise<boolean>;
  send(message: Message): ReturnType<typeof send>;
  interrupt(message: Message): ReturnType<typeof interrupt>;
  pause(act: Act): Promise<ActedOn>;
  /** Resolves with the new attempt for a coder that had completed before a review deadlock. */
  resume(act: ResumeAct): Promise<ActedOn>;
  /** Its process has ended, or is being killed, when this resolves. */
  kill(act: Act): Promise<ActedOn>;
  /** Grants one that waits at a limit what its role has. */
  continue(act: Act): Promise<ActedOn>;
  complete(act: Act): Promise<ActedOn>;
  /** Sets a time to live, labels and tags, or takes them off. */
  set(act: SetAct): Promise<ActedOn>;
  /** Resolves with the new attempt. */
  revive(act: Act): Promise<ActedOn>;
  /** One in `error` is tried at once; any other gets a new attempt, with which this resolves. */
  retry(act: Act): Promise<ActedOn>;
  /** Stops, continues or ends a goal, or a sprint without one. */
  steerPlan(act: PlanAct): Promise<PlanSteered>;
  /** Approves or denies one call that an agent asked about. */
  decideCall(wish: CallVerdict): ReturnType<typeof decideCall>;
  /** An act that was given up is tried once more. */
  replayEffect(wish: Parameters<typeof replayEffect>[1] & Named): ReturnType<typeof replayEffect>;
  /** Opens a pull request that adds one file; null where it is under way and GitHub takes longer. */
  proposeFile(wish: FileWish): Promise<ProposedPull | null>;
  /** A settled webhook is handled once more. */
  replayDelivery(wish: Parameters<typeof replayDelivery>[1] & Named): ReturnType<typeof replayDelivery>;
  wait(wish: WaitWish): Promise<Waited>;
}

export function createOperations(
  context: EngineContext,
  drivers: Drivers,
  changes: Changes,
  settled: (effectId: number, withinMs: number) => Promise<void>,
): Operations {
  const { store, clock } = context;
  const once = new Once();
  const orNoted = <Result>(
    operation: string,
    wish: { readonly agent: string; readonly id: string },
    work: () => Promise<Result>,
  ) => once.do(operation, wish, () => orDecision(context, { agent: wish.agent, operation }, work));
  return {
    pauseScope: (wish) =>
      once.do("pause scope", wish, async () => {
        const { scope, by, reason } = wish;
        const { news, paused } = await pauseScope(context, { scope, by, reason, holder: "person" });
        const ids = await inScope(context, drivers.running(), scope);
        const stillStopping = await stopAll(context, drivers, ids);
        return { news, paused: paused.map(({ name }) => name), stillStopping };
      }),
    resumeScope: (scope, id) => {
      const wish = { scope, id };
      return once.do("resume scope", wish, () => resumeScope(context, { scope, holder: "person" }));
    },
    send: (message) => orNoted("send", message, () => send(context, message)),
    interrupt: (message) => orNoted("interrupt", message, () => interrupt(context, drivers, message)),
    pause: (act) => orNoted("pause", act, () => pause(context, act)),
    resume: (act) => orNoted("resume", act, () => resume(context, act)),
    kill: (act) =>
      orNoted("kill", act, async () => {
        const agent = await kill(context, act);
        await stopAll(context, drivers, [agent.id]);
        return agent;
      }),
    continue: (act) => orNoted("continue", act, () => continueOn(context, act)),
    complete: (act) => orNoted("complete", act, () => complete(context, act)),
    set: (act) => orNoted("set", act, () => setOn(context, act)),
    revive: (act) => orNoted("revive", act, () => revive(context, act)),
    retry: (act) => orNoted("retry", act, () => retry(context, act)),
    steerPlan: (act) => once.do("goal", act, () => steerPlan(context, act)),
    decideCall: (wish) => once.do("call", wish, () => decideCall(context, wish)),
    replayEffect: ({ id, ...wish }) => once.do("effect", { ...wish, id }, () => replayEffect(context, wish)),
    proposeFile: (wish) => proposeFile(context, settled, wish),
    replayDelivery: ({ id, ...wish }) =>
      once.do("delivery", { ...wish, id }, () => replayDelivery(context, wish)),
    wait: (wish) => wait({ store, clock, changes }, wish),
  };
}

async function inScope(
  context: EngineContext,
  ids: readonly number[],
  scope: Scope,
): Promise<readonly AgentRecord["id"][]> {
  if (scope === "all") return ids;
  const repositoryId = Number(scope.slice("repository:".length));
  const agents = await context.store.records.find("agent", { id: ids, repositoryId });
  return agents.map(({ id }) => id);
}

/** Ends the processes at once, not in the order of the outbox; how many are not gone when the time is over. */
async function stopAll(context: EngineContext, drivers: Drivers, ids: readonly number[]): Promise<number> {
  const left = new Set(ids);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = context.clock.after(STOP_BOUND_MS, resolve);
  const stops = ids.map(async (id) => {
    await drivers.stop(id);
    left.delete(id);
  });
  await Promise.race([Promise.allSettled(stops), late]);
  cancel();
  return left.size;
}
