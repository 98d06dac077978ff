import type { Hold } from "../breakers/hold.ts";
import type { Limits } from "../breakers/limits.ts";
import type { ErrorCode } from "../kernel/error-code.ts";
import type { EventOf } from "../kernel/state-machine.ts";
import type { TaskState } from "../tasks/task-record.ts";
import type { AgentRecord, Grant, Holder, SleepReason, WakeReason } from "./agent-record.ts";
import type { RunState } from "./run.ts";

/** What a move of an agent depends on beside its own record; filled in by the engine inside the transaction. */
export interface GuardContext {
  /** A slot of `max_concurrent_agents` is free, and for a singleton role no other of it is ACTIVE in the repository. */
  readonly slot: true | string;
  /** Why nothing may start or wake now although a slot is free: scope paused, sprint at CHECKPOINT. */
  readonly held: readonly Hold[];
  /** The repository's day has room for one more model call, and where the event is a START for one more agent. */
  readonly budget: true | { readonly reason: string; readonly change: string };
  /** The model provider answers; or why nobody may begin now. */
  readonly provider: true | string;
  readonly run: RunState | null;
  readonly task: TaskState | null;
  /** Who holds that task or held it last, who failed at it, and the terms of a claim. */
  readonly work: {
    readonly assigneeId: number | null;
    readonly line: number | null;
    readonly failedBy: readonly number[];
    /** The commit that is, or was last, up for review. */
    readonly reviewCommit: string | null;
    /** For its COMPLETE, ESCALATE and WAIT: people whose request for changes of its newest commit stands. See `newestCommit`. */
    readonly rejectedBy: readonly string[];
    /** `review.max_cycles`. */
    readonly maxCycles: number;
    readonly leaseMs: number;
  };
  /** For a reviewer: the task whose review it would begin, its author and for how long, or why it cannot. Null for others. */
  readonly review:
    | { readonly taskId: number; readonly authorId: number | null; readonly leaseMs: number }
    | string
    | null;
  /** What a person said last of a call that the agent asked about before it slept; null when nobody was asked or answered. */
  readonly verdict: "granted" | "denied" | null;
  /** A live agent of the same role on the issue, or for a coder another live coder on it. */
  readonly rival: string | null;
  /** For a START of new work: why too many pull requests wait for people; null while there is room, and for what is open already. */
  readonly attention: string | null;
  /** The escalation label and who is told, from the configuration. */
  readonly escalation: { readonly label: string; readonly notify: readonly string[] };
  /** For a move that may ask a person: its last steps, cleaned, and where its work can be seen, as Markdown. */
  readonly tried: readonly string[];
  readonly links: readonly string[];
  /** The limits of its role. */
  readonly limits: Limits;
  /** The name of the machine on which it is made, starts or wakes. */
  readonly node: string;
}

interface Base {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A GitHub login, `flotilla` for the host, or `agent`. */
  readonly actor: string;
  readonly around: GuardContext;
}

/** Fields with which a record begins. */
export type NewAgent = Pick<
  AgentRecord,
  | "repositoryId"
  | "name"
  | "role"
  | "issue"
  | "attempt"
  | "coder"
  | "ephemeral"
  | "planFirst"
  | "mode"
  | "branch"
  | "parentAgentId"
  | "prNumber"
  | "ttlMs"
  | "labels"
  | "tags"
> &
  /** Until then the host does not start it; its own limit of turns. */
  Partial<Pick<AgentRecord, "dueAt" | "extraTurns">>;

export type ResolvedAgentEvent =
  | (Base & {
      readonly type: "CREATE";
      readonly newAgent: NewAgent;
      readonly entry: Entry;
      readonly limit: string | null;
    })
  | (Base & {
      readonly type: "REVIVE";
      readonly newAgent: NewAgent;
      readonly entry: Entry;
      readonly previous: AgentRecord;
    })
  | (Base & {
      readonly type: "REOPEN";
      readonly newAgent: NewAgent;
      readonly entry: Entry;
      readonly previous: AgentRecord;
      readonly why: string;
    })
  | (Base & {
      readonly type: "START";
      /** What blocks its issue on GitHub, as people write it; null where that has not been read yet. */
      readonly openBlockers: readonly string[] | null;
      readonly assignedTo: string | null;
      readonly sessionId: string;
      readonly leaseUntil: number;
    })
  | (Base & {
      readonly type: "BLOCKED";
      readonly blocker: number;
      /** The blocker's repository where that is another one. */
      readonly elsewhere?: Elsewhere;
      /** `part` = of the own issue, at whatever depth. */
      readonly found: "open" | "closed" | "missing" | "part";
      /** The cycle that this would close, of issues as people write them; null when there is none. */
      readonly cycle: readonly string[] | null;
      readonly reason: string;
    })
  | (Base & {
      readonly type: "WAIT";
      readonly reason: SleepReason;
      /** Since when it was awake in vain; from then on no time is counted. Left out where all of it was work. */
      readonly idleSince?: number;
      readonly dueAt: number | null;
      /** True when a crash led here: it counts against `max_restarts`. */
      readonly crash: boolean;
      /** Its lease is over: the conversation has failed, and nothing is counted. */
      readonly leaseLost?: true;
      readonly breaker: string | null;
      readonly detail: string;
      /** For a wait after an error: what that was. */
      readonly code?: ErrorCode;
    })
  | (Base & {
      readonly type: "PAUSE";
      /** Null when its scope is paused: the scope's own row holds it then. */
      readonly holder: Holder | null;
      readonly why: string;
    })
  | (Base & {
      readonly type: "RESUME";
      readonly holders: readonly Holder[];
      readonly sessionId: string;
      readonly leaseUntil: number;
      readonly grant: Grant | null;
    })
  | (Base & {
      readonly type: "COMPLETE";
      readonly cause: "evidence" | "merged" | "person";
      /** The evaluator's, where one was asked. */
      readonly confidence?: number | null;
      readonly summary: string;
    })
  | (Base & {
      readonly type: "ESCALATE";
      readonly reason: string;
      readonly category: string;
      readonly question: string | null;
      readonly breaker: string | null;
      /** Its task needs replanning: it is BLOCKED with this reason, and the comment names who replans it. */
      readonly replanning?: { readonly reason: string; readonly replanner: Replanner };
    })
  | (Base & {
      readonly type: "FAIL";
      readonly reason: string;
      readonly breaker: string | null;
      readonly code: ErrorCode;
      /** Another attempt may not meet it. */
      readonly curable?: true;
    })
  | (Base & { readonly type: "HANDOFF"; readonly sessionId: string; readonly why: string })
  | (Base & {
      readonly type: "WAKE";
      readonly reason: WakeReason;
      readonly sessionId: string;
      readonly leaseUntil: number;
      readonly grant: Grant | null;
    })
  | (Base & {
      readonly type: "EXPIRE";
      readonly waited: string;
      /** What it asked, where that is what it waited for. */
      readonly question?: string;
    })
  | (Base & {
      readonly type: "CANCEL";
      readonly why: string;
      readonly quiet: boolean;
      /** The issue is no longer there: nothing at all is written on it. */
      readonly gone?: true;
      /** Work of its that needs replanning is given up with it. */
      readonly givesUp?: true;
      /** How its conversation ends, where not simply as cancelled. */
      readonly session?: "ttl_expired";
    });

/** Who can replan a task, beside a person. */
export interface Replanner {
  /** A planner of the issue, or of the one that it is a part of, that hears of it now. */
  readonly agent: Pick<AgentRecord, "id" | "name" | "role" | "issue"> | null;
  /** The configured role that replans; a person can start it on the issue. */
  readonly role: string | null;
}

/** A repository that is not the agent's own. */
export interface Elsewhere {
  readonly repositoryId: number;
  /** Full name. */
  readonly repository: string;
}

export type ResolvedAgentEventOf<T extends ResolvedAgentEvent["type"]> = EventOf<ResolvedAgentEvent, T>;

/** What the new agent's START is tried with at once. */
export interface Entry {
  readonly assignedTo: string | null;
}

type Wished<E> = E extends ResolvedAgentEvent
  ? Omit<E, "around" | "sessionId" | "leaseUntil" | "limit" | "openBlockers">
  : never;

/** An event as a decision asks for it; the engine adds what only the database knows. */
export type AgentEvent = Wished<ResolvedAgentEvent>;
