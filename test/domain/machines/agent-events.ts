import type {
  NewAgent,
  ResolvedAgentEvent,
  ResolvedAgentEventOf,
} from "../../../src/domain/agents/agent-event.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";

type Events = { readonly [T in ResolvedAgentEvent["type"]]: ResolvedAgentEventOf<T> };

const base = { at: AT, actor: "alice", around: surroundings() };
const next = { sessionId: "flotilla-0123456789abcdef-2", leaseUntil: AT + HOUR };

const newAgent: NewAgent = {
  repositoryId: 7,
  name: "feat-dev-issue-42",
  role: "feat-dev",
  issue: 42,
  attempt: 1,
  coder: true,
  ephemeral: false,
  planFirst: false,
  runtime: "copilot",
  mode: "continuous",
  branch: "flotilla/feat-dev/issue-42",
  parentAgentId: null,
  prNumber: null,
  ttlMs: null,
  labels: [],
  tags: [],
};
const entry = { assignedTo: null };

const events: Events = {
  CREATE: { ...base, type: "CREATE", newAgent, entry, limit: null },
  REVIVE: { ...base, type: "REVIVE", newAgent, entry, previous: anAgent({ state: "FAILED" }) },
  REOPEN: {
    ...base,
    type: "REOPEN",
    newAgent,
    entry,
    previous: anAgent({ state: "COMPLETED" }),
    why: "the issue was reopened",
  },
  START: {
    ...base,
    ...next,
    type: "START",
    openBlockers: [],
    assignedTo: null,
    around: surroundings({ task: "UNCLAIMED", run: "idle" }),
  },
  BLOCKED: { ...base, type: "BLOCKED", blocker: 7, found: "open", cycle: null, reason: "needs the schema" },
  WAIT: {
    ...base,
    type: "WAIT",
    reason: "question",
    dueAt: null,
    crash: false,
    breaker: null,
    detail: "which colour",
  },
  PAUSE: { ...base, type: "PAUSE", holder: "person", why: "paused by @alice" },
  RESUME: { ...base, ...next, type: "RESUME", holders: ["person", "commit"], grant: null },
  COMPLETE: { ...base, type: "COMPLETE", cause: "evidence", summary: "Dark mode is there." },
  ESCALATE: {
    ...base,
    type: "ESCALATE",
    reason: "The specification contradicts itself.",
    category: "decision",
    question: "Which colour?",
    breaker: null,
  },
  FAIL: { ...base, type: "FAIL", reason: "The model refused.", breaker: null, code: "model_refused" },
  HANDOFF: { ...base, type: "HANDOFF", sessionId: "flotilla-0123456789abcdef-2", why: "context nearly full" },
  WAKE: { ...base, ...next, type: "WAKE", reason: "answer", grant: null },
  EXPIRE: { ...base, type: "EXPIRE", waited: "#7" },
  CANCEL: { ...base, type: "CANCEL", why: "nobody needs it", quiet: false },
};

/** An event that an agent in the fitting state takes. */
export function agentEvent<T extends ResolvedAgentEvent["type"]>(
  type: T,
  overrides: Partial<Events[T]> = {},
): Events[T] {
  return { ...events[type], ...overrides };
}
