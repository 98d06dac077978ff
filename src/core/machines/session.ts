import { z } from "zod";
import type { Machine, Rule } from "../machine.ts";

/** One conversation with the runtime; an awake period is one life of it. */
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
  /** How it ended last: completed, blocked, waiting, escalated, cancelled, paused, restart, limit:<breaker>, crashed, lease_lost … */
  reason: z.string().nullable(),
  /** The model that it was begun with; null before it was opened. */
  model: z.string().nullable(),
  lives: z.int(),
  createdAt: z.int(),
  destroyedAt: z.int().nullable(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

export interface SessionEvent {
  readonly type: "START" | "RUN" | "REST" | "AWAIT_APPROVAL" | "PAUSE" | "STOP" | "STOPPED" | "FAIL";
  readonly at: number;
  readonly actor: string;
  readonly reason?: string;
}

type R = Rule<SessionState, SessionRecord, SessionEvent, never, never>;
const to = (on: SessionEvent["type"], target: SessionState, from: readonly SessionState[]): R => ({
  from,
  on,
  to: target,
  change: (session, event) => ({
    ...(target === "starting" && session.state !== "starting" ? { lives: session.lives + 1 } : {}),
    ...(event.reason === undefined ? {} : { reason: event.reason }),
  }),
});

const rules: readonly R[] = [
  to("START", "starting", ["unspecified", "stopped", "failed"]),
  to("RUN", "running", ["starting", "idle", "waiting_approval", "paused"]),
  to("REST", "idle", ["starting", "running", "waiting_approval", "paused"]),
  to("AWAIT_APPROVAL", "waiting_approval", ["starting", "running", "idle", "paused"]),
  to("PAUSE", "paused", ["running", "idle", "waiting_approval"]),
  to("STOP", "stopping", ["starting", "running", "idle", "waiting_approval", "paused"]),
  to("STOPPED", "stopped", [
    "starting",
    "running",
    "idle",
    "waiting_approval",
    "paused",
    "stopping",
    "failed",
  ]),
  to("FAIL", "failed", ["starting", "running", "idle", "waiting_approval", "paused", "stopping"]),
  // A state reported twice is no news: accepted, nothing changes but the reason.
  to("START", "starting", ["starting"]),
  to("RUN", "running", ["running"]),
  to("REST", "idle", ["idle"]),
  to("AWAIT_APPROVAL", "waiting_approval", ["waiting_approval"]),
  to("PAUSE", "paused", ["paused"]),
  to("STOP", "stopping", ["stopping"]),
  to("STOPPED", "stopped", ["stopped"]),
  to("FAIL", "failed", ["failed"]),
];

export const sessionMachine: Machine<SessionState, SessionRecord, SessionEvent> = {
  name: "session",
  states: SESSION_STATES,
  terminal: [],
  events: [...new Set(rules.map(({ on }) => on))],
  rules,
};

/** The fields of a record that does not exist yet. */
export const blankSession: SessionRecord = {
  id: 0,
  version: 0,
  state: "unspecified",
  agentId: 0,
  sessionId: "",
  reason: null,
  model: null,
  lives: 0,
  createdAt: 0,
  destroyedAt: null,
};
