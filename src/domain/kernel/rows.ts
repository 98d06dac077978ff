import type { Grant, WakeReason } from "../agents/agent-record.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import type { Missing } from "../evidence/missing.ts";
import type { Effect, EffectKind } from "./effect.ts";
import type { RepositoryRef } from "./repository.ts";
import type { RunEvent } from "./run-event.ts";

/**
 * Names of the machines. The rows below are those besides the machines' records. Times are milliseconds since the
 * epoch.
 */
export const MACHINE_NAMES = ["agent", "run", "session", "task", "review_lease", "sprint", "goal"] as const;
export type MachineName = (typeof MACHINE_NAMES)[number];

export interface TransitionRow {
  readonly id: number;
  readonly at: number;
  readonly machine: MachineName;
  readonly recordId: number;
  readonly agentId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
  readonly actor: string;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
  /** JSON: the facts behind the decision. */
  readonly evidence: unknown;
  readonly delivery: string | null;
}

/** An event of a run, as those who watch it receive it. */
export interface RunEventRow {
  /** The cursor: it grows with each row, and no value is used twice. */
  readonly id: number;
  readonly at: number;
  /** Null for moves of a task that no agent works on. */
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly repositoryId: number;
  readonly issue: number;
  /** The agent's turns so far. */
  readonly turn: number | null;
  readonly event: RunEvent;
}

/** One call of a tool, ours or the runtime's. */
export interface ToolCallRow {
  readonly id: number;
  readonly agentId: number;
  /** The model's own name for the call; it may repeat. */
  readonly toolCallId: string;
  readonly tool: string;
  /** The arguments as JSON, redacted and cut. */
  readonly input: string;
  readonly turn: number;
  /**
   * pending = the gate decides, or a person: it has not run. running = it was let go. denied never ran; interrupted may
   * have run only if it was let go, which its output says.
   */
  readonly status: "pending" | "running" | "success" | "failure" | "denied" | "interrupted";
  /** The hash by which a person was asked about it; null where nobody was. */
  readonly asked: string | null;
  readonly output: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Null until it ends, and where its end was not seen. */
  readonly durationMs: number | null;
}

export interface DecisionRow {
  readonly id: number;
  readonly at: number;
  readonly repositoryId: number | null;
  readonly issue: number | null;
  readonly agentId: number | null;
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly change: string | null;
  readonly inputs: unknown;
  /** How often the same decision was made in a row; repeats within a minute count once. */
  readonly count: number;
  readonly lastAt: number;
  readonly delivery: string | null;
}

export interface EffectRow {
  readonly id: number;
  /** Unique: adding it again changes nothing. */
  readonly key: string;
  readonly kind: EffectKind;
  /** `agent:<id>`, `issue:<repository id>#<n>` or a name with such a prefix; one effect at a time, in order of id. */
  readonly lane: string;
  readonly repositoryId: number;
  readonly issue: number;
  readonly agentId: number | null;
  /** Fencing token of the agent at the decision; null for an effect that may always run. */
  readonly token: number | null;
  readonly payload: Effect;
  readonly state: "pending" | "leased" | "done" | "failed" | "skipped";
  readonly attempts: number;
  readonly notBefore: number;
  readonly leasedUntil: number | null;
  /** True when an earlier try may have succeeded: check before acting. */
  readonly uncertain: boolean;
  /** The time until which GitHub's lists may not show what the last uncertain try wrote; 0 when none did. */
  readonly lagsUntil: number;
  readonly result: unknown;
  readonly error: string | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}
/**
 * Identifies one claim of a row. The token is new for each claim, so a worker that lost the row cannot settle it. The
 * node is the machine: when its process starts again, it may release the claims that the earlier one left.
 */
export interface Lease {
  readonly token: string;
  readonly node: string;
}

/** What of earlier leases counts as given up. */
export interface Abandoned {
  /** Leases of these nodes, whether expired or not; null for those of every node. */
  readonly nodes: readonly string[] | null;
  /** Leases of other nodes that ended by then; milliseconds since the epoch. */
  readonly now: number;
}

export type NewEffect = Pick<
  EffectRow,
  "key" | "lane" | "repositoryId" | "issue" | "agentId" | "token" | "payload" | "createdAt"
> &
  Partial<Pick<EffectRow, "notBefore">>;

export interface WakeRow {
  readonly id: number;
  /** Unique: the same cause wakes once. */
  readonly key: string;
  readonly agentId: number;
  readonly reason: WakeReason;
  /** What the wake brief says about it. */
  readonly detail: string;
  /** What a person added to a limit with it; null when nothing. Stored as JSON. */
  readonly grant: Grant | null;
  readonly state: "pending" | "delivered" | "dropped";
  readonly dueAt: number;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

export interface IntentRow {
  readonly id: number;
  readonly agentId: number;
  readonly token: number;
  readonly kind:
    | "report_blocked"
    | "report_complete"
    | "request_review"
    | "submit_verdict"
    | "escalate_to_human"
    | "ask_human";
  readonly payload: unknown;
  /** The branch's head at that time. */
  readonly commit: string | null;
  readonly state: "recorded" | "applied" | "refused";
  readonly reason: string | null;
  readonly createdAt: number;
}

/** A fact by which an agent's work was judged. */
export interface EvidenceRow {
  readonly id: number;
  readonly agentId: number;
  readonly runId: number;
  /** The claim that was judged; null for the setup of the agent's own worktree. */
  readonly intentId: number | null;
  /** A setup or acceptance command that ran, one thing that the claim lacked, or an evaluator's result. */
  readonly kind: "setup" | "command" | "missing" | "evaluation";
  /** The claimed commit; null where there is none. */
  readonly commit: string | null;
  readonly command: string | null;
  readonly holds: boolean;
  /** Null for other kinds, for a command that a signal ended, and for a setup command that holds without having run. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The end of the command's output, or the evaluator's reason; redacted. */
  readonly output: string;
  readonly durationMs: number | null;
  /** The digest of the lock files and of the environment variables that a setup command ran for. */
  readonly digest: string | null;
  readonly missing: Missing | null;
  /** The evaluator's, 0 to 1; null for other kinds. */
  readonly confidence: number | null;
  readonly createdAt: number;
}

export interface DeliveryRow {
  /** `X-GitHub-Delivery`. */
  readonly guid: string;
  /** Order of arrival. */
  readonly seq: number;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  /** Deliveries of one lane are handled in order, one at a time. */
  readonly lane: string;
  /** The raw body as GitHub sent it. */
  readonly payload: string;
  readonly state: "pending" | "claimed" | "done" | "ignored" | "dead";
  readonly attempts: number;
  readonly notBefore: number;
  /** Why it was ignored, or the error of the last try. */
  readonly note: string | null;
  readonly receivedAt: number;
  readonly settledAt: number | null;
}
export type NewDelivery = Pick<
  DeliveryRow,
  "guid" | "event" | "action" | "installationId" | "repositoryId" | "lane" | "payload" | "receivedAt"
>;

export interface RepositoryRow extends RepositoryRef {
  readonly private: boolean;
  readonly defaultBranch: string;
}

/** Records with their own retention: a key of the configuration's section `retention`. */
export type KeptKind =
  | "deliveries"
  | "runEvents"
  | "toolCalls"
  | "decisions"
  | "transitions"
  | "effects"
  | "details"
  | "records";
