import { z } from "zod";
import { agentKey } from "../../domain/agents/agent-key.ts";
import { pauseLift, pauseText, repositoryScope, type Scope } from "../../domain/breakers/scope.ts";
import {
  faultJson,
  faultOfOutside,
  type OperationCode,
  OperationError,
} from "../../domain/commands/operation-fault.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { PLAN_VERBS } from "../../domain/planning/planned-work.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Operations } from "../../engine/commands/operations.ts";
import type { DrainState } from "../../engine/recovery/drain.ts";
import { agentActs, MOST_WORDS } from "./control-agents.ts";

/** What the control socket needs to serve requests. */
export interface ControlContext {
  readonly store: Store;
  readonly operations: Operations;
  /** Called when a delivery is pending again. */
  readonly poke: () => void;
  /** Proposes a repository's file, see `onboarding/propose-config.ts`. */
  readonly onboard: (body: unknown) => Promise<object>;
  /** Asks GitHub for webhooks that never arrived. */
  readonly sweep: () => Promise<{ readonly asked: number; readonly later: number }>;
}

/** One request: its path, its JSON, and a signal that fires when the client disconnects. */
export interface Asked {
  readonly path: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly body: object;
}

type Act = (context: ControlContext, body: unknown, signal: AbortSignal) => Promise<object>;

const AGENT_ACTS = Object.entries(agentActs).map(([verb, run]): [string, Act] => [
  `/agents/${verb}`,
  ({ operations }, body, signal) => run(operations, body, signal),
]);

/** Characters of an issue's title, as GitHub allows. */
const MOST_TITLE = 256;
const by = z.string().min(1).max(100);
/** The id that the client gives the request, if any: a repeated id acts only once. */
const requestId = z.string().min(1).max(100).optional();
/** `all`, or a repository's full name. */
const scope = z.strictObject({
  scope: z.string(),
  by,
  reason: z.string().max(500).nullable().default(null),
  id: requestId,
});

const decided = z.strictObject({
  approval: z.int(),
  verdict: z.enum(["approve", "deny"]),
  id: z.string().min(1).max(100),
  by,
  reason: z.string().max(MOST_WORDS).nullable().default(null),
});
const takenBack = z.strictObject({ approval: z.int(), id: z.string().min(1).max(100), by });
const answer = z.strictObject({
  question: z.int(),
  text: z.string().trim().min(1).max(MOST_WORDS),
  id: z.string().min(1).max(100),
  by,
});
const named = { repository: z.string().min(1).max(200), id: z.string().min(1).max(100), by };
const started = z.strictObject({
  ...named,
  on: z.union([
    z.strictObject({ issue: z.int().positive() }),
    z.strictObject({
      title: z.string().trim().min(1).max(MOST_TITLE),
      body: z.string().trim().max(MOST_WORDS).default(""),
    }),
  ]),
  role: z.string().trim().max(100).default(""),
  words: z.string().trim().max(MOST_WORDS).default(""),
});
const merged = z.strictObject({ ...named, issue: z.int().positive() });
const scheduled = z.strictObject({ ...named, schedule: z.string().min(1).max(40) });
const steered = z.strictObject({
  repository: z.string().min(1).max(200),
  issue: z.int().positive(),
  verb: z.enum(PLAN_VERBS),
  id: z.string().min(1).max(100),
  by,
  reason: z.string().trim().max(500).nullable().default(null),
});
const machine = z.string().min(1).max(100).optional();
const drained = z.strictObject({
  machine,
  /** Null ends the drain. */
  within_ms: z
    .int()
    .min(0)
    .max(24 * 3_600_000)
    .nullable(),
  by,
});
const handedIn = z.strictObject({ by, id: requestId });
const replayed = z.strictObject({ effect: z.int(), kind: z.literal("notify").optional(), by, id: requestId });

const acts: Readonly<Record<string, Act>> = {
  "/pause": async ({ store, operations }, body) => {
    const wish = scope.parse(body);
    const stopped = await operations.pauseScope({ ...wish, scope: await scopeOf(store, wish.scope) });
    return {
      scope: wish.scope,
      news: stopped.news,
      agents: stopped.paused,
      still_stopping: stopped.stillStopping,
    };
  },
  "/resume": async ({ store, operations }, body) => {
    const wish = scope.parse(body);
    const asked = await scopeOf(store, wish.scope);
    const lifted = await operations.resumeScope({ ...wish, scope: asked });
    const others = (await store.scopePauses.list()).filter((pause) => ["all", asked].includes(pause.scope));
    const held = others.map((pause) => `${pauseText(pause)}; ${pauseLift(pause)}`);
    if (lifted) return { scope: wish.scope, still_held: held };
    const what = [`pause of ${wish.scope} by a person`, ...held].join("; ");
    throw new OperationError({ code: "not_found", what });
  },
  "/goals/steer": ({ operations }, body) => operations.steerPlan(steered.parse(body)),
  "/questions/answer": ({ operations }, body) => operations.answerQuestion(answer.parse(body)),
  "/work/start": async ({ operations }, body) => {
    const wish = started.parse(body);
    const { issue, url, agent } = await operations.startWork(wish);
    return { issue, url, agent: agent === null ? null : agentKey(wish.repository, agent.name) };
  },
  "/work/merge": ({ operations }, body) => operations.mergeWork(merged.parse(body)),
  "/schedules/run": ({ operations }, body) => operations.runSchedule(scheduled.parse(body)),
  "/approvals/take-back": ({ operations }, body) => operations.takeBackApproval(takenBack.parse(body)),
  "/approvals/decide": ({ operations }, body) => operations.decideCall(decided.parse(body)),
  "/effects/replay": ({ operations }, body) => operations.replayEffect(replayed.parse(body)),
  "/drain": async ({ operations }, body) => {
    const { machine: node, within_ms: withinMs, by: operator } = drained.parse(body);
    return drainJson(await operations.drain({ node, withinMs, by: operator }));
  },
  "/drain/state": async ({ operations }, body) =>
    drainJson(await operations.drainState(z.strictObject({ machine }).parse(body).machine)),
  "/onboard": ({ onboard }, body) => onboard(body),
  "/deliveries/sweep": ({ sweep }) => sweep(),
  ...Object.fromEntries(AGENT_ACTS),
};

/** HTTP status by code: 4xx is refused, 5xx failed. All other codes are refused with 409. */
const STATUS: Partial<Record<OperationCode, number>> = {
  not_found: 404,
  task_not_found: 404,
  id_reused: 422,
  internal: 500,
  transport_unavailable: 503,
};

/** Carries out a request, or answers with an error `{ error: { code, message, hint, … } }`. */
export async function act(context: ControlContext, asked: Asked): Promise<Answered> {
  try {
    const guid = /^\/deliveries\/([^/]{1,64})\/replay$/.exec(asked.path)?.[1];
    if (guid !== undefined) return { status: 200, body: await replay(context, guid, asked.body) };
    const known = Object.hasOwn(acts, asked.path) ? acts[asked.path] : undefined;
    if (known === undefined) throw new OperationError({ code: "not_found", what: `act ${asked.path}` });
    return { status: 200, body: await known(context, asked.body, asked.signal) };
  } catch (error) {
    const fault = asFault(error);
    if (fault === undefined) throw error;
    return { status: STATUS[fault.code] ?? 409, body: { error: faultJson(fault) } };
  }
}

function drainJson({ node, atWork, ...state }: DrainState): object {
  return { machine: node, at_work: atWork, ...state };
}

function asFault(error: unknown): OperationError | undefined {
  if (error instanceof OperationError) return error;
  if (error instanceof OutsideError) return new OperationError(faultOfOutside(error));
  if (!(error instanceof z.ZodError)) return undefined;
  const [first] = error.issues;
  return new OperationError({
    code: "invalid_argument",
    argument: first?.path.join(".") || "body",
    expected: first?.message ?? "another value",
  });
}

async function replay(
  { operations, poke }: ControlContext,
  delivery: string,
  body: unknown,
): Promise<object> {
  const done = await operations.replayDelivery({ delivery, ...handedIn.parse(body) });
  poke();
  return done;
}

/** Returns the scope of a name. A repository is known by name once Flotilla has seen a delivery or an agent of it. */
async function scopeOf(store: Store, given: string): Promise<Scope> {
  if (given === "all") return "all";
  const name = parseFullName(given);
  const repository = name === undefined ? undefined : await store.repositories.byName(name.owner, name.name);
  if (repository === undefined) throw new OperationError({ code: "not_found", what: `repository ${given}` });
  return repositoryScope(repository.id);
}
