import { z } from "zod";
import { givenFile } from "../instructions/given-file.ts";
import type { Machine, Rule } from "../kernel/state-machine.ts";
import { shownPicture } from "../pictures/shown-picture.ts";

/**
 * One conversation with the runtime, as opposed to the process that serves it; each awake period has its own process.
 * The conversation is kept in `idle` (also while the host checks a claim), `waiting_approval` and `paused`.
 */
export const SESSION_STATES = [
  "unspecified",
  "starting",
  "running",
  "idle",
  "waiting_approval",
  "paused",
  "stopping",
  "stopped",
  "failed",
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export const sessionRecord = z.strictObject({
  id: z.int(),
  version: z.int(),
  state: z.enum(SESSION_STATES),
  agentId: z.int(),
  /** The runtime's id of the conversation. */
  sessionId: z.string(),
  /**
   * Why it is idle, or how it ended last: completed, blocked, waiting, escalated, cancelled, paused, restart,
   * limit:<breaker>, crashed, lease_lost …
   */
  reason: z.string().nullable(),
  /** The model with which it was created; null before it was opened. */
  model: z.string().nullable(),
  /** The version of the runtime with which it was opened last; null where that is not known. */
  runtimeVersion: z.string().nullable(),
  /** The files of the repository's instructions that it contains, or should, in order. */
  instructions: z.array(givenFile).readonly(),
  /** The pictures that it contains, or should, in order. */
  pictures: z.array(shownPicture).readonly(),
  lives: z.int(),
  createdAt: z.int(),
  destroyedAt: z.int().nullable(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

export interface SessionEvent {
  readonly type: "START" | "RUN" | "WAKE" | "REST" | "AWAIT_APPROVAL" | "PAUSE" | "STOP" | "STOPPED" | "FAIL";
  readonly at: number;
  readonly actor: string;
  readonly reason?: string;
}

/** States of a conversation that has no process, is kept on disk, and can be resumed. */
const AT_REST: readonly SessionState[] = ["idle", "waiting_approval", "paused"];
const ENDED: readonly SessionState[] = ["stopped", "failed"];
const OVER: readonly SessionState[] = ["stopping", ...ENDED];
const AWAKE_OR_AT_REST: readonly SessionState[] = ["starting", "running", ...AT_REST];

type R = Rule<SessionState, SessionRecord, SessionEvent, never, never>;
const to = (on: SessionEvent["type"], target: SessionState, from: readonly SessionState[]): R => ({
  from,
  on,
  to: target,
  change: (session, event) => ({
    ...(on === "START" || on === "WAKE" ? { lives: session.lives + 1 } : {}),
    ...(event.reason === undefined ? {} : { reason: event.reason }),
  }),
});

const rules: readonly R[] = [
  to("START", "starting", ["unspecified", "stopped", "failed"]),
  to("RUN", "running", ["starting", "idle"]),
  to("WAKE", "running", AT_REST),
  // Also from idle, because the reason may be another one.
  to("REST", "idle", ["starting", "running", "idle", "waiting_approval", "paused"]),
  to("AWAIT_APPROVAL", "waiting_approval", ["running", "paused"]),
  to("PAUSE", "paused", ["starting", "running", "idle", "waiting_approval"]),
  to("STOP", "stopping", AWAKE_OR_AT_REST),
  to("STOPPED", "stopped", ["stopping", "failed"]),
  to("FAIL", "failed", [...AWAKE_OR_AT_REST, "stopping"]),
];

/**
 * Returns whether a report changes a conversation; other reports are accepted and ignored: one of its present state, a
 * START of one that is kept (it wakes once its process runs), and a second end.
 */
export function changesSession({ state, reason }: SessionRecord, event: SessionEvent): boolean {
  switch (event.type) {
    case "START":
      return !AWAKE_OR_AT_REST.includes(state);
    case "RUN":
    case "WAKE":
      return state !== "running";
    case "STOP":
      return !OVER.includes(state);
    case "STOPPED":
      return state !== "stopped";
    case "FAIL":
      return !ENDED.includes(state);
    case "REST":
    case "AWAIT_APPROVAL":
    case "PAUSE":
      return (
        !OVER.includes(state) &&
        (state !== RESTS_IN[event.type] || (state === "idle" && event.reason !== reason))
      );
  }
}

const RESTS_IN = { REST: "idle", AWAIT_APPROVAL: "waiting_approval", PAUSE: "paused" } as const;

export const sessionMachine: Machine<SessionState, SessionRecord, SessionEvent> = {
  name: "session",
  states: SESSION_STATES,
  terminal: [],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The initial values of a record that does not exist yet. */
export const blankSession: SessionRecord = {
  id: 0,
  version: 0,
  state: "unspecified",
  agentId: 0,
  sessionId: "",
  reason: null,
  model: null,
  runtimeVersion: null,
  instructions: [],
  pictures: [],
  lives: 0,
  createdAt: 0,
  destroyedAt: null,
};
