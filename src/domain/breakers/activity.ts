import type { RuntimeEvent, RuntimeTool, RuntimeTools } from "../ports/agent-runtime.ts";

/** A model call may be silent this long: large models think for many minutes, and answer in one piece. */
const MODEL_CALL_MS = 900_000;
/** A shell may run this long in the foreground without a word. */
const SHELL_MS = 1_800_000;
/** Any other tool, and what a shell gets on top of the time that it was told to wait. */
const TOOL_MS = 300_000;

/** A model call or tool that is under way, with a deadline of its own. */
export interface InFlight {
  readonly what: "model" | "tool";
  /** Unique among what is in flight. */
  readonly id: string;
  readonly name: string;
  readonly since: number;
  readonly deadlineAt: number;
}

/** What is known of an agent at work without asking it. Milliseconds since the epoch. */
export interface Activity {
  /** The last event of the runtime, token or change of the files. */
  readonly lastSignAt: number;
  readonly inFlight: readonly InFlight[];
}

const MODEL = "model";

function thinking(now: number): InFlight {
  return { what: "model", id: MODEL, name: "model call", since: now, deadlineAt: now + MODEL_CALL_MS };
}

/** A message was sent: the model is asked. */
export function newActivity(now: number): Activity {
  return { lastSignAt: now, inFlight: [thinking(now)] };
}

/** Every event is a sign of life; some begin or end what is in flight. */
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
      // Its deadline begins again with each word of it.
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
    case "model_call_refused":
    case "usage_differs":
    case "context":
      return inFlight;
  }
}

/** Returns the files changed: a sign of life, and what is in flight is at work. */
export function recordFileChange(activity: Activity, now: number): Activity {
  return { ...activity, lastSignAt: now };
}

/**
 * The host itself stood still for `ms` (a machine that slept): what was in flight could not continue meanwhile, so its
 * time begins again.
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

/** How long a call may take: what it was told to wait, and some more. Undefined for a tool that is not the runtime's own. */
export function toolDeadlineMs(tool: RuntimeTool | undefined, args: unknown): number {
  const asked = tool?.waitMs?.(args) ?? 0;
  return Math.max(tool?.kind === "shell" ? SHELL_MS : TOOL_MS, asked + TOOL_MS);
}
