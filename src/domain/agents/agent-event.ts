import type { Hold } from "../breakers/hold.ts";
import type { Limits } from "../breakers/limits.ts";
import type { ErrorCode } from "../kernel/error-code.ts";
import type { EventOf } from "../kernel/state-machine.ts";
import type { TaskState } from "../tasks/task-record.ts";
import type { AgentRecord, Grant, Holder, SleepReason, WakeReason } from "./agent-record.ts";
import type { RunState } from "./run.ts";
import type { StartChoice } from "./start-choice.ts";

/** The facts of a move besides the agent's own record; the engine fills them in inside the transaction. */
export interface GuardContext {
  /**
   * True when a slot of `max_concurrent_agents` is free and, for a singleton role, no other agent of it is ACTIVE in
   * the repository.
   */
  readonly slot: true | string;
  /** Whether this machine has the memory and disk that the agent is promised. */
  readonly room: true | { readonly reason: string; readonly change: string };
  /**
   * For a move to ACTIVE and an EXPIRE: what forbids every start and wake now although a slot is free, such as a paused
   * scope or a sprint at CHECKPOINT.
   */
  readonly held: readonly Hold[];
  /** True when the repository's day allows one more model call and, for a START, one more agent. */
  readonly budget: true | { readonly reason: string; readonly change: string };
  /** True when the model provider answers; else why nobody may begin now. */
  readonly provider: true | string;
  readonly run: RunState | null;
  readonly task: TaskState | null;
  /** The task's present or last holder, who failed at it, and the terms of a claim. */
  readonly work: {
    readonly assigneeId: number | null;
    readonly line: number | null;
    readonly failedBy: readonly number[];
    /** The commit that is, or was last, up for review. */
    readonly reviewCommit: string | null;
    /**
     * For its COMPLETE, ESCALATE and WAIT: people whose request for changes of its newest commit still counts. See
     * `newestCommit`.
     */
    readonly rejectedBy: readonly string[];
    /** `review.max_cycles`. */
    readonly maxCycles: number;
    readonly leaseMs: number;
  };
  /**
   * For a reviewer: the task whose review it would begin, the author and the length of the lease, or why it cannot.
   * Null for others.
   */
  readonly review:
    | { readonly taskId: number; readonly authorId: number | null; readonly leaseMs: number }
    | string
    | null;
  /**
   * A person's last answer about a call that the agent asked for before it slept; null when nobody was asked or
   * answered.
   */
  readonly verdict: "granted" | "denied" | null;
  /** A live agent of the same role on the issue; for a coder, another live coder on it. */
  readonly rival: string | null;
  /**
   * For a START of new work: why too many pull requests wait for people; null while there is room, and for work that
   * has a pull request already.
   */
  readonly attention: string | null;
  /** The escalation label and the people to mention, from the configuration. */
  readonly escalation: { readonly label: string; readonly notify: readonly string[] };
  /**
   * For a move that may ask a person: the agent's last steps, redacted, and where its work can be seen, as Markdown.
   */
  readonly tried: readonly string[];
  readonly links: readonly string[];
  /** The limits of the agent's role. */
  readonly limits: Limits;
  /** The name of the machine on which the agent is created, starts or wakes. */
  readonly node: string;
}

interface Base {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A GitHub login, `flotilla` for the host, or `agent`. */
  readonly actor: string;
  readonly around: GuardContext;
}

/** The fields that a creator gives a new record. */
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
  | "runtime"
  | "mode"
  | "branch"
  | "parentAgentId"
  | "prNumber"
  | "ttlMs"
  | "labels"
  | "tags"
> &
  /**
   * The time before which the host does not start it, its own limit of turns, the head of the person's pull request that
   * it works on, and what its start chose.
   */
  Partial<Pick<AgentRecord, "dueAt" | "extraTurns" | "headCommit" | keyof StartChoice>>;

export type ResolvedAgentEvent =
  | (Base & {
      readonly type: "CREATE";
      readonly newAgent: NewAgent;
      readonly entry: Entry;
      /** What the person who starts it tells it. */
      readonly words?: string;
      readonly limit: string | null;
    })
  | (Base & {
      readonly type: "REVIVE";
      readonly newAgent: NewAgent;
      readonly entry: Entry;
      readonly words?: string;
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
      /** What blocks the agent's issue on GitHub, as people write it; null where that has not been read yet. */
      readonly openBlockers: readonly string[] | null;
      readonly assignedTo: string | null;
      readonly sessionId: string;
      readonly leaseUntil: number;
    })
  | (Base & {
      readonly type: "BLOCKED";
      readonly blocker: number;
      /** The blocker's repository, where it is not the agent's own. */
      readonly elsewhere?: Elsewhere;
      /** `part` = a sub-issue of the agent's own issue, at any depth. */
      readonly found: "open" | "closed" | "missing" | "part";
      /** The cycle that this dependency would close, as people write issues; null when there is none. */
      readonly cycle: readonly string[] | null;
      readonly reason: string;
    })
  | (Base & {
      readonly type: "WAIT";
      readonly reason: SleepReason;
      /**
       * The time since which the agent only waited for something unavailable; that time is not counted. Undefined where
       * it worked throughout.
       */
      readonly idleSince?: number;
      readonly dueAt: number | null;
      /** True after a crash, which counts against `max_restarts`. */
      readonly crash: boolean;
      /** The agent's lease has expired: the conversation has failed, and nothing is counted. */
      readonly leaseLost?: true;
      readonly breaker: string | null;
      readonly detail: string;
      /** For a wait after an error: the code of that error. */
      readonly code?: ErrorCode;
    })
  | (Base & {
      readonly type: "PAUSE";
      /** Null when the agent's scope is paused: the row of the scope holds it then. */
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
      /** The evaluator's confidence, where one was asked. */
      readonly confidence?: number | null;
      readonly summary: string;
    })
  | (Base & {
      readonly type: "ESCALATE";
      readonly reason: string;
      readonly category: string;
      readonly question: string | null;
      readonly breaker: string | null;
      /** The task needs replanning: it becomes BLOCKED for this reason, and the comment names who replans it. */
      readonly replanning?: { readonly reason: string; readonly replanner: Replanner };
    })
  | (Base & {
      readonly type: "FAIL";
      readonly reason: string;
      readonly breaker: string | null;
      readonly code: ErrorCode;
      /** Another attempt may avoid the failure. */
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
      /** The question that the agent asked, where it waited for its answer. */
      readonly question?: string;
    })
  | (Base & {
      readonly type: "CANCEL";
      readonly why: string;
      readonly quiet: boolean;
      /** The issue no longer exists: nothing is written on it. */
      readonly gone?: true;
      /** The agent's work that needs replanning is given up with it. */
      readonly givesUp?: true;
      /** How the conversation ends; undefined for cancelled. */
      readonly session?: "ttl_expired";
    });

/** Who can replan a task, besides a person. */
export interface Replanner {
  /** A planner of the issue, or of its parent issue, that gets a message about it now. */
  readonly agent: Pick<AgentRecord, "id" | "name" | "role" | "issue"> | null;
  /** The configured role that replans; a person can start it on the issue. */
  readonly role: string | null;
}

/** A repository other than the agent's own. */
export interface Elsewhere {
  readonly repositoryId: number;
  /** Full name. */
  readonly repository: string;
}

export type ResolvedAgentEventOf<T extends ResolvedAgentEvent["type"]> = EventOf<ResolvedAgentEvent, T>;

/** The START of the new agent, tried in the same transaction. */
export interface Entry {
  readonly assignedTo: string | null;
}

type Requested<E> = E extends ResolvedAgentEvent
  ? Omit<E, "around" | "sessionId" | "leaseUntil" | "limit" | "openBlockers">
  : never;

/** An event as a decision requests it; the engine adds the facts that only the database knows. */
export type AgentEvent = Requested<ResolvedAgentEvent>;
