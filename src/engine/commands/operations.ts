import { ATTRIBUTES_WRITTEN, readAttributes } from "../../domain/agents/agent-attributes.ts";
import { isLive } from "../../domain/agents/agent-record.ts";
import { setsAttributes } from "../../domain/commands/on-set.ts";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import type { EffectKind } from "../../domain/kernel/effect.ts";
import { operatorTouch } from "../../domain/reporting/operator-touch.ts";
import { dayBudgets } from "../breakers/day-budget.ts";
import { resumeScope, type ScopePauseRequest, type ScopeResumeRequest } from "../breakers/scope-pause.ts";
import type { ChangeSignal } from "../kernel/change-signal.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { type ConfigProposal, type ProposedPull, proposeFile } from "../onboarding/propose-file.ts";
import { type DrainState, type DrainWish, drain, drainState } from "../recovery/drain.ts";
import type { Nodes } from "../recovery/nodes.ts";
import type { Drivers } from "../sessions/drivers.ts";
import { answerQuestion, type PersonsAnswer } from "./answer-question.ts";
import { type ContinueAct, complete, continueOn } from "./at-limit.ts";
import { type CallVerdict, decideCall } from "./decide-call.ts";
import { emergencyStop, type ScopeStopped, stopAll } from "./emergency-stop.ts";
import { type MergeAnswer, type MergeRequest, mergeWork } from "./merge-work.ts";
import type { OperatorAct } from "./operator-act.ts";
import { reach } from "./reach.ts";
import { recordingRefusal } from "./refused-operation.ts";
import { replayDelivery } from "./replay-delivery.ts";
import { RequestMemory } from "./request-memory.ts";
import { runSchedule, type ScheduleRan, type ScheduleRun } from "./run-schedule.ts";
import { type Started, type StartRequest, startWork } from "./start-work.ts";
import {
  type ActedOn,
  after,
  invalidState,
  kill,
  move,
  pause,
  type ResumeAct,
  resume,
  retry,
  revive,
  steering,
} from "./steer.ts";
import { type PlanAct, type PlanSteered, steerPlan } from "./steer-plan.ts";
import { type TakenBack, takeBackApproval } from "./take-back.ts";
import { interrupt, type Message, send } from "./talk.ts";
import { type Waited, type WaitRequest, wait } from "./wait.ts";

/** A request with the caller's id, where it has one. */
interface Named {
  readonly id?: string | undefined;
}

/**
 * The operations of the running engine. Each carries out a request with the same id once, and throws
 * `OperationError` when it refuses.
 */
export interface Operations {
  /** Pauses the scope, then ends every runtime process in it within 15 s (the emergency stop). */
  pauseScope(request: Omit<ScopePauseRequest, "holder"> & Named): Promise<ScopeStopped>;
  /** Returns false when no person had paused exactly this scope. */
  resumeScope(request: Omit<ScopeResumeRequest, "holder"> & Named): Promise<boolean>;
  send(message: Message): ReturnType<typeof send>;
  interrupt(message: Message): ReturnType<typeof interrupt>;
  pause(act: OperatorAct): Promise<ActedOn>;
  /**
   * Resolves with the new attempt for a coder that had completed before reviews rejected its work too often.
   */
  resume(act: ResumeAct): Promise<ActedOn>;
  /** Resolves once the agent's process has ended or is being killed. */
  kill(act: OperatorAct): Promise<ActedOn>;
  /** Lets an agent that a limit or an escalation stopped continue, by an amount or the usual one. */
  continue(act: ContinueAct): Promise<ActedOn>;
  complete(act: OperatorAct): Promise<ActedOn>;
  /** Sets or removes a time to live, labels and tags. */
  set(act: SetAct): Promise<ActedOn>;
  /** Resolves with the new attempt. */
  revive(act: OperatorAct): Promise<ActedOn>;
  /** Retries an agent in `error` at once; for any other, starts a new attempt and resolves with it. */
  retry(act: OperatorAct): Promise<ActedOn>;
  /** Stops, continues or ends a goal, or a sprint without a goal. */
  steerPlan(act: PlanAct): Promise<PlanSteered>;
  /** Approves or denies one call that an agent asked about. */
  decideCall(request: CallVerdict): ReturnType<typeof decideCall>;
  /** Refuses a call that was approved and is not made yet. */
  takeBackApproval(request: TakenBack): ReturnType<typeof takeBackApproval>;
  /** Answers one question of an agent. */
  answerQuestion(answer: PersonsAnswer): ReturnType<typeof answerQuestion>;
  /** Starts a role on an issue, which it opens first where that is asked for. */
  startWork(request: StartRequest): Promise<Started>;
  /** Merges approved work. */
  mergeWork(request: MergeRequest): Promise<MergeAnswer>;
  /** Begins a schedule besides its times. */
  runSchedule(request: ScheduleRun): Promise<ScheduleRan>;
  /** Tries a failed effect once more. */
  replayEffect(request: Parameters<typeof replayEffect>[1] & Named): ReturnType<typeof replayEffect>;
  /** Opens a pull request that adds one file; resolves with null while GitHub takes longer. */
  proposeFile(request: ConfigProposal): Promise<ProposedPull | null>;
  /** Handles a settled webhook once more. */
  replayDelivery(request: Parameters<typeof replayDelivery>[1] & Named): ReturnType<typeof replayDelivery>;
  /** Drains a machine, or ends that. */
  drain(wish: DrainWish): Promise<DrainState>;
  /** Returns how far a machine is with its drain; this one where none is named. */
  drainState(node?: string): Promise<DrainState>;
  wait(request: WaitRequest): Promise<Waited>;
  /** Returns what each of these repositories may cost today and what is reserved of that, in micro-dollars. */
  dayBudgets(repositoryIds: readonly number[]): ReturnType<typeof dayBudgets>;
}

export function createOperations(
  context: EngineContext,
  {
    drivers,
    nodes,
    changeSignal,
    settled,
  }: {
    readonly drivers: Drivers;
    readonly nodes: Nodes;
    readonly changeSignal: ChangeSignal;
    readonly settled: (effectId: number, withinMs: number) => Promise<void>;
  },
): Operations {
  const { store, clock, alone } = context;
  const once = new RequestMemory();
  const reaching = { drivers, settled };
  const orNoted = <Result>(
    operation: string,
    request: { readonly agent: string; readonly id: string },
    work: () => Promise<Result>,
  ) =>
    once.do(operation, request, () => recordingRefusal(context, { agent: request.agent, operation }, work));
  return {
    pauseScope: (request) =>
      once.do("pause scope", request, () => {
        const { scope, by, reason } = request;
        return emergencyStop(context, reaching, { scope, by, reason, holder: "person" });
      }),
    resumeScope: (request) =>
      once.do("resume scope", request, () => {
        const { id: _, ...wish } = request;
        return resumeScope(context, { ...wish, holder: "person" });
      }),
    send: (message) => orNoted("send", message, () => send(context, message)),
    interrupt: (message) => orNoted("interrupt", message, () => interrupt(context, reaching, message)),
    pause: (act) => orNoted("pause", act, () => pause(context, act)),
    resume: (act) => orNoted("resume", act, () => resume(context, act)),
    kill: (act) =>
      orNoted("kill", act, async () => {
        const agent = await kill(context, act);
        await stopAll(context, reaching, [agent.id]);
        return agent;
      }),
    continue: (act) => orNoted("continue", act, () => continueOn(context, act)),
    complete: (act) => orNoted("complete", act, () => complete(context, act)),
    set: (act) => orNoted("set", act, () => setOn(context, act)),
    revive: (act) => orNoted("revive", act, () => revive(context, act)),
    retry: (act) => orNoted("retry", act, () => retry(context, act)),
    steerPlan: (act) => once.do("goal", act, () => steerPlan(context, act)),
    decideCall: (request) => once.do("call", request, () => decideCall(context, request)),
    takeBackApproval: (request) => once.do("take back", request, () => takeBackApproval(context, request)),
    answerQuestion: (answer) => once.do("answer", answer, () => answerQuestion(context, answer)),
    startWork: (request) => once.do("start", request, () => startWork(context, request)),
    mergeWork: (request) => once.do("merge", request, () => mergeWork(context, settled, request)),
    runSchedule: (request) => once.do("schedule", request, () => runSchedule(context, settled, request)),
    replayEffect: ({ id, ...request }) =>
      once.do("effect", { ...request, id }, () => replayEffect(context, request)),
    proposeFile: (request) => proposeFile(context, settled, request),
    replayDelivery: ({ id, ...request }) =>
      once.do("delivery", { ...request, id }, () => replayDelivery(context, request)),
    drain: (wish) => drain(context, nodes, wish),
    drainState: (node) => drainState(context, nodes, node),
    dayBudgets: (ids) => dayBudgets(context, ids),
    wait: (request) => wait({ store, clock, changeSignal, alone }, request),
  };
}

/** An operator's `set`: the words as a comment says them, `ttl=8h`, `tag=urgent`. */
interface SetAct extends OperatorAct {
  readonly set: readonly string[];
}

/** What `/flotilla set` does for one agent. Throws `OperationError`. */
async function setOn(context: EngineContext, act: SetAct): Promise<ActedOn> {
  const { agent } = await reach(context.store, act.agent);
  const change = readAttributes(act.set);
  if ("fault" in change) throw refused(`${ATTRIBUTES_WRITTEN}; ${change.fault}`);
  if (!isLive(agent)) throw invalidState(agent, "set");
  const { at, actor } = steering(context, act);
  const changes = setsAttributes([agent], change, { at, actor, words: act.set.join(" ") });
  const [decision] = changes.attributes.length === 0 ? changes.decisions : [];
  if (decision !== undefined) throw refused(`a change that the agent can have; ${decision.reason}`);
  await move(context, { act, agent }, { ...changes, effects: [{ kind: "status_comment" }] }, "set");
  return after(context, agent);
}

function refused(expected: string): OperationError {
  return new OperationError({ code: "invalid_argument", argument: "set", expected });
}

/**
 * Tries an act once more that was given up. It may have been carried out all the same, so it is looked for first; one
 * whose agent has moved on since is skipped, as ever. `kind`: the only one that is meant. Throws `OperationError` not_found.
 */
async function replayEffect(
  { store, clock, changed }: Pick<EngineContext, "store" | "clock" | "changed">,
  request: { readonly effect: number; readonly by: string; readonly kind?: EffectKind | undefined },
): Promise<{ readonly kind: string }> {
  const row = await store.effects.get(request.effect);
  const replayed =
    row !== undefined &&
    (request.kind ?? row.kind) === row.kind &&
    (await store.transaction(async ({ effects, decisions, ledger }) => {
      if (!(await effects.replay(row.id))) return false;
      const { repositoryId, issue, agentId, kind, error } = row;
      await decisions.add({
        at: clock.now(),
        repositoryId,
        issue,
        agentId,
        rule: "replayed",
        reason: `${request.by} has ${kind} tried again, which had failed: ${error ?? "no error was kept"}`,
        change: null,
        inputs: { effect: row.key, by: request.by },
        delivery: null,
      });
      // Each time that it failed is another reason to come.
      const at = clock.now();
      await ledger.touch(operatorTouch(row, "command", { act: `replay:${row.key}:${at}`, at }));
      return true;
    }));
  if (!replayed)
    throw new OperationError({
      code: "not_found",
      what: `failed ${request.kind === "notify" ? "notice" : "effect"} ${request.effect}`,
    });
  changed();
  return { kind: row.kind };
}
