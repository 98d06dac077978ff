import { z } from "zod";

/** How a tool call can end. interrupted = its exchange or its process ended before it did. */
export const TOOL_RESULTS = ["success", "failure", "denied", "interrupted"] as const;

/** What is told of each kind of event. `turn` is beside it, in the row. */
const RUN_EVENT_DATA = {
  /** An awake period begins: `cause` is the agent's move. */
  "agent:starting": z.strictObject({ cause: z.string(), reason: z.string().nullable() }),
  /** One more turn: a model call with its tools. */
  "agent:step": z.strictObject({ step: z.int() }),
  /** It stopped working and waits: asleep, or for a person. */
  "agent:paused": z.strictObject({ state: z.string(), reason: z.string().nullable() }),
  /** Its run met an error; `code` is the run's move. After a recoverable one it goes on by itself. */
  "agent:error": z.strictObject({ code: z.string(), error: z.string(), recoverable: z.boolean() }),
  "agent:completed": z.strictObject({ result: z.string() }),
  /** Something that it had was given back. */
  "agent:cleanup": z.strictObject({ what: z.enum(["process", "conversation", "worktree"]) }),
  /** A person is asked; `choices` are the commands that answer. */
  "approval:requested": z.strictObject({
    kind: z.string(),
    subject: z.string(),
    choices: z.array(z.string()),
  }),
  "tool:start": z.strictObject({ call: z.string(), tool: z.string(), input: z.string() }),
  "tool:result": z.strictObject({
    call: z.string(),
    tool: z.string(),
    status: z.enum(TOOL_RESULTS),
    output: z.string(),
    /** Null where the end was not seen. */
    duration_ms: z.int().nullable(),
  }),
  /** A piece of what the model says; kept for a while only. */
  "stream:token": z.strictObject({ text: z.string() }),
  /** A machine moved. */
  "state:update": z.strictObject({
    machine: z.string(),
    event: z.string(),
    actor: z.string(),
    from: z.string(),
    to: z.string(),
    reason: z.string().nullable(),
  }),
} as const;

export type RunEventType = keyof typeof RUN_EVENT_DATA;

/** An event of a run, before it is a row. */
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
  kind("approval:requested"),
  kind("tool:start"),
  kind("tool:result"),
  kind("stream:token"),
  kind("state:update"),
]);
