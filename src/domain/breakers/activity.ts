import type { RuntimeEvent, RuntimeTool, RuntimeTools } from "../ports/agent-runtime.ts";

/** Longest silence of a model call: large models think for many minutes, and answer in one piece. */
const MODEL_CALL_MS = 900_000;
/** Longest silence of a shell in the foreground. */
const SHELL_MS = 1_800_000;
/** Longest silence of any other tool, and what a shell gets on top of its own time-out. */
const TOOL_MS = 300_000;

/** A model call or tool in progress, with its own deadline. */
export interface InFlight {
  readonly what: "model" | "tool";
  /** Unique among the calls in progress. */
  readonly id: string;
  readonly name: string;
  readonly since: number;
  readonly deadlineAt: number;
}

/** What is known about a working agent without a probe. Milliseconds since the epoch. */
export interface Activity {
  /** The time of the last event of the runtime, token or change of the files. */
  readonly lastSignAt: number;
  readonly inFlight: readonly InFlight[];
}

const MODEL = "model";

function thinking(now: number): InFlight {
  return { what: "model", id: MODEL, name: "model call", since: now, deadlineAt: now + MODEL_CALL_MS };
}

/** Returns the activity after a message was sent: the model is called. */
export function newActivity(now: number): Activity {
  return { lastSignAt: now, inFlight: [thinking(now)] };
}

/** Records an event: each is a sign of life, and some begin or end a call. */
export function recordEvent(
  activity: Activity,
  event: RuntimeEvent,
  now: number,
  runtimeTools: RuntimeTools,
): Activity {
  return { lastSignAt: now, inFlight: inFlightAfter(activity.inFlight, event, now, runtimeTools) };
}

function inFlightAfter(
  inFlight: readonly InFlight[],
  event: RuntimeEvent,
  now: number,
  runtimeTools: RuntimeTools,
): readonly InFlight[] {
  const tools = inFlight.filter(({ what }) => what === "tool");
  switch (event.type) {
    case "turn_started":
    case "message_delta":
      // Each token restarts the model call's deadline.
      return [...tools, thinking(now)];
    case "sign":
      return event.of === "tool" ? inFlight : [...tools, thinking(now)];
    case "tool_started":
      return [
        ...tools,
        {
          what: "tool",
          id: event.toolCallId,
          name: event.toolName,
          since: now,
          deadlineAt: now + toolDeadlineMs(runtimeTools.get(event.toolName), event.args),
        },
      ];
    case "tool_ended":
      return inFlight.filter(({ id }) => id !== event.toolCallId);
    case "turn_ended":
    case "message":
      return tools;
    case "usage":
    case "model_changed":
    case "model_call_refused":
    case "usage_differs":
    case "context":
      return inFlight;
  }
}

/** Records a change of the files: a sign of life, which restarts the deadlines of the calls in progress. */
export function recordFileChange(activity: Activity, now: number): Activity {
  return { ...activity, lastSignAt: now };
}

/**
 * Restarts the deadlines after the host itself was stopped for `ms` (a machine that slept): no call could continue
 * meanwhile.
 */
export function shiftDeadlines(activity: Activity, now: number, ms: number): Activity {
  return {
    lastSignAt: now,
    inFlight: activity.inFlight.map((one) => ({ ...one, deadlineAt: one.deadlineAt + ms })),
  };
}

export function overdue(activity: Activity, now: number): readonly InFlight[] {
  return activity.inFlight.filter(({ deadlineAt }) => deadlineAt < now);
}

/**
 * Returns how long a call may take: its own time-out, and some more. Undefined for a tool that is not the runtime's
 * own.
 */
export function toolDeadlineMs(tool: RuntimeTool | undefined, args: unknown): number {
  const asked = tool?.waitMs?.(args) ?? 0;
  return Math.max(tool?.kind === "shell" ? SHELL_MS : TOOL_MS, asked + TOOL_MS);
}
