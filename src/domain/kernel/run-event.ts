import { z } from "zod";
import { errorCode } from "./error-code.ts";

/** How a tool call can end. interrupted = its exchange or its process ended before it did. */
export const TOOL_RESULTS = ["success", "failure", "denied", "interrupted"] as const;

/** The agent's progress: turns used, turns allowed, and their ratio, 0 to 1. */
const TURNS = { current_turn: z.int(), max_turns: z.int(), progress: z.number().min(0).max(1) } as const;
export type Turns = z.infer<z.ZodObject<typeof TURNS>>;

/** The data of each kind of event. `turn` is a column of the row. */
const RUN_EVENT_DATA = {
  /** An awake period begins: `cause` is the agent's move, `session` the conversation. */
  "agent:starting": z.strictObject({
    cause: z.string(),
    reason: z.string().nullable(),
    session: z.string().nullable(),
  }),
  /** One more turn: a model call with its tools. */
  "agent:step": z.strictObject({ step: z.int(), ...TURNS }),
  /** The agent stopped working and waits: asleep, or for a person. */
  "agent:paused": z.strictObject({ state: z.string(), reason: z.string().nullable() }),
  /** The run or one of its tools met an error. After a recoverable one it continues automatically. */
  "agent:error": z.strictObject({
    code: errorCode,
    /** The HTTP status of the code. */
    status: z.int(),
    error: z.string(),
    recoverable: z.boolean(),
    /** Where the error occurred: the run's move and phase, or the tool and its call. */
    details: z.union([
      z.strictObject({ move: z.string(), phase: z.string() }),
      z.strictObject({ tool: z.string(), call: z.string() }),
    ]),
  }),
  "agent:completed": z.strictObject({ result: z.string() }),
  /** Something of the agent's was released. */
  "agent:cleanup": z.strictObject({ what: z.enum(["process", "conversation", "worktree"]) }),
  /** What became of a service beside the agent; `detail` says it in words, with the end of its output. */
  "agent:service": z.strictObject({
    service: z.string(),
    what: z.enum(["ready", "not_ready", "ended"]),
    detail: z.string(),
  }),
  /** From now on `to` answers in place of `from`: one that stands in for it, or the first again. */
  "agent:model": z.strictObject({ from: z.string(), to: z.string(), reason: z.string() }),
  /** A person is asked; `choices` are the commands that answer. */
  "approval:requested": z.strictObject({
    kind: z.string(),
    subject: z.string(),
    choices: z.array(z.string()),
    ...TURNS,
  }),
  /** A call is pending: the gate decides about it. */
  "tool:start": z.strictObject({ call: z.string(), tool: z.string(), input: z.string() }),
  /** The call was let go. */
  "tool:running": z.strictObject({ call: z.string(), tool: z.string() }),
  "tool:result": z.strictObject({
    call: z.string(),
    tool: z.string(),
    status: z.enum(TOOL_RESULTS),
    output: z.string(),
    /** Null where the end was not seen. */
    duration_ms: z.int().nullable(),
  }),
  /** A piece of the model's text; kept for a while only. */
  "stream:token": z.strictObject({ text: z.string() }),
  /** A machine moved. The fields of the conversation and the turns are null where no agent is concerned. */
  "state:update": z.strictObject({
    machine: z.string(),
    event: z.string(),
    actor: z.string(),
    from: z.string(),
    to: z.string(),
    reason: z.string().nullable(),
    session: z.string().nullable(),
    current_turn: TURNS.current_turn.nullable(),
    max_turns: TURNS.max_turns.nullable(),
    progress: TURNS.progress.nullable(),
  }),
} as const;

export type RunEventType = keyof typeof RUN_EVENT_DATA;
export const RUN_EVENT_TYPES: readonly string[] = Object.keys(RUN_EVENT_DATA);

/** An event of a run, before it is stored. */
export type RunEvent = {
  readonly [T in RunEventType]: { readonly type: T; readonly data: z.infer<(typeof RUN_EVENT_DATA)[T]> };
}[RunEventType];

const kind = <T extends RunEventType>(type: T) =>
  z.strictObject({ type: z.literal(type), data: RUN_EVENT_DATA[type] });

export const runEvent: z.ZodType<RunEvent> = z.discriminatedUnion("type", [
  kind("agent:starting"),
  kind("agent:step"),
  kind("agent:paused"),
  kind("agent:error"),
  kind("agent:completed"),
  kind("agent:cleanup"),
  kind("agent:service"),
  kind("agent:model"),
  kind("approval:requested"),
  kind("tool:start"),
  kind("tool:running"),
  kind("tool:result"),
  kind("stream:token"),
  kind("state:update"),
]);
