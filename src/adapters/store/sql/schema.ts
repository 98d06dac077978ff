import type { Generated } from "kysely";
import type { BlockersRow } from "../../../domain/blockers/blockers.ts";
import type { IncidentRow } from "../../../domain/breakers/incident.ts";
import type { LoneOpening } from "../../../domain/breakers/lone-opening.ts";
import type { ProgressRow } from "../../../domain/breakers/progress-memory.ts";
import type { ProviderPark } from "../../../domain/breakers/provider-breaker.ts";
import type { ScopePauseRow } from "../../../domain/breakers/scope.ts";
import type { CheckAttempt } from "../../../domain/checks/attempts.ts";
import type { HandoffRow } from "../../../domain/conversation/handoff.ts";
import type { KeptConversation } from "../../../domain/conversation/kept-conversation.ts";
import type { ScreenPicture, ScreenRow } from "../../../domain/evidence/screens.ts";
import type {
  DecisionRow,
  DeliveryRow,
  EffectRow,
  EvidenceRow,
  IntentRow,
  MachineName,
  RepositoryRow,
  RunEventRow,
  ToolCallRow,
  TransitionRow,
  WakeRow,
} from "../../../domain/kernel/rows.ts";
import type { RepositoryFileRow } from "../../../domain/ports/settings-tables.ts";
import type { AppIdentity, TokenRequestRow } from "../../../domain/ports/token-tables.ts";
import type { IssueTextRow, SeenCheck, SeenPullRow } from "../../../domain/ports/work-tables.ts";
import type { ApprovalRow } from "../../../domain/questions/approval.ts";
import type { QuestionRow } from "../../../domain/questions/question.ts";
import type { NodeRow } from "../../../domain/recovery/node.ts";
import type { Touch } from "../../../domain/reporting/touch.ts";
import type { VerdictRow } from "../../../domain/review/verdict.ts";
import type { ArchiveRow } from "../../../domain/tasks/archive.ts";
import type { CheckpointRow } from "../../../domain/tasks/checkpoint.ts";

/** The values of a column: times and booleans are numbers, lists and objects JSON text. */
export type SqlValue = string | number | null;

/** The column type of a field of type `T`. */
type Column<T> = [T] extends [SqlValue] ? T : [T] extends [boolean] ? number : string;
/** The columns of a record; Kysely's plugin converts their names to `snake_case`. */
export type Columns<R> = { [K in keyof R]: Column<R[K]> };

type Numbered<R> = { id: Generated<number> } & Omit<R, "id">;
type Machines = { [M in MachineName]: { [column: string]: SqlValue } };

/** Renames fields whose names are SQL keywords. */
export type StoredTransition = Omit<TransitionRow, "from" | "to"> & {
  readonly fromState: string;
  readonly toState: string;
};
export type StoredWake = Omit<WakeRow, "grant"> & { readonly granted: WakeRow["grant"] };
export type StoredIntent = Omit<IntentRow, "commit"> & { readonly commitSha: string | null };

type StoredRunEvent = Omit<RunEventRow, "event"> & {
  readonly type: RunEventRow["event"]["type"];
  readonly data: RunEventRow["event"]["data"];
};

export type StoredEvidence = Omit<EvidenceRow, "commit"> & { readonly commitSha: string | null };

export type StoredCheckpoint = Omit<CheckpointRow, "commit" | "pushed"> & {
  readonly commitSha: string | null;
  readonly pushedSha: string | null;
};

type StoredScreen = Omit<ScreenRow, "commit"> & { readonly commitSha: string };

type StoredCheckAttempt = Omit<CheckAttempt, "commit" | "check"> & {
  readonly commitSha: string;
  readonly checkName: string;
};

/** A verdict as stored; `commit` is an SQL keyword. */
export interface StoredVerdict extends Omit<VerdictRow, "commit"> {
  readonly commitSha: string;
}

/** The token and the node of a lease; null while there is none, and in rows from before version 0012 of the schema. */
interface StoredLease {
  readonly leaseToken: Generated<string | null>;
  readonly leaseNode: Generated<string | null>;
}

/** The delivery in whose transaction the row was written; null where none was handled. */
interface Caused {
  readonly delivery: Generated<string | null>;
}

interface UsageRow {
  readonly agentId: number;
  readonly at: number;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costMicroUsd: number;
}

interface StoredReplayInput {
  readonly guid: string;
  readonly repositoryId: number | null;
  readonly issue: number | null;
  readonly at: number;
  readonly answers: string;
  readonly known: Uint8Array | null;
  readonly began: string | null;
  readonly ended: string | null;
}

interface DayGrantRow {
  readonly repositoryId: number;
  readonly day: number;
  readonly costMicroUsd: number;
  readonly agents: number;
  readonly grantedBy: string;
  readonly issue: number;
  readonly at: number;
}

/**
 * The tables as Kysely sees them. All machines share one code path, so their columns are checked at run time.
 */
export interface Schema extends Machines {
  repository: Columns<RepositoryRow> & { seen: number };
  transition: Numbered<Columns<StoredTransition> & { acted: number }>;
  decision: Numbered<Columns<DecisionRow> & { readonly afterTransition: number }>;
  effect: Numbered<Columns<EffectRow> & StoredLease & Caused>;
  wake: Numbered<Columns<StoredWake> & Caused>;
  intent: Numbered<Columns<StoredIntent>>;
  evidence: Numbered<Columns<StoredEvidence>>;
  screen: Numbered<Columns<StoredScreen>> & { readonly [P in ScreenPicture]: Uint8Array | null };
  verdict: Numbered<Columns<StoredVerdict>>;
  delivery: Omit<Columns<DeliveryRow>, "seq"> & { seq: Generated<number> } & StoredLease & {
      leasedUntil: Generated<number | null>;
    };
  approval: Numbered<Columns<ApprovalRow> & { decidedOnGithub: number | null }>;
  question: Numbered<Columns<QuestionRow> & { answeredOnGithub: number | null }>;
  scope_pause: Numbered<Columns<ScopePauseRow>>;
  tool_call: Numbered<Columns<ToolCallRow>>;
  run_event: Numbered<Columns<StoredRunEvent>>;
  usage: Columns<UsageRow>;
  touch: Numbered<Columns<Touch & { readonly id: number }>>;
  incident: Numbered<Columns<IncidentRow>>;
  handoff: Numbered<Columns<HandoffRow>>;
  progress: Columns<ProgressRow>;
  dayGrant: Columns<DayGrantRow>;
  providerPark: Columns<ProviderPark>;
  blockers: Columns<BlockersRow>;
  /** Maintained by triggers. */
  dayCost: { repositoryId: number; day: number; costMicroUsd: number };
  /**
   * Maintained by triggers: for each blocker, the sleepers that reported it and the issues that GitHub links
   * to it.
   */
  reportedBlocker: { repositoryId: number; number: number; agentId: number };
  linkedBlocker: { repository: string; number: number; repositoryId: number; issue: number };
  loneOpening: Columns<LoneOpening>;
  archive: Columns<ArchiveRow>;
  checkpoint: Columns<StoredCheckpoint>;
  conversation: KeptConversation;
  seenCheck: Columns<SeenCheck>;
  seenPull: Columns<SeenPullRow>;
  repositoryFile: Columns<RepositoryFileRow>;
  issueText: Columns<IssueTextRow>;
  replayInput: StoredReplayInput;
  checkAttempt: Columns<StoredCheckAttempt>;
  signOut: { session: string; until: number };
  keptSecret: { name: "marker"; secret: string };
  sweep: { id: number; at: number };
  node: Columns<NodeRow> & { toldEpoch: number };
  tokenRequest: Numbered<Columns<TokenRequestRow>>;
  appIdentity: Columns<AppIdentity>;
  round: { name: string; holder: string; token: number; heldUntil: number };
}
