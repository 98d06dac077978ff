import type { Redact } from "../../domain/access/redact.ts";
import type { AgentEvent, GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { ModelAccount } from "../../domain/breakers/provider-breaker.ts";
import type { PullsOfPeople } from "../../domain/events/domain-event.ts";
import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { AgentRuntime, ModelProvider } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub, GitHubIssue } from "../../domain/ports/github.ts";
import type { Log, Within } from "../../domain/ports/log.ts";
import type { Disk, Runner } from "../../domain/ports/runner.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import type { Worktrees } from "../../domain/ports/worktrees.ts";
import type { Answers } from "../../domain/replay/recorded-answers.ts";
import type { ToolKind } from "../../domain/sessions/tool-kind.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { DayLedger } from "../breakers/day-ledger.ts";
import type { ProviderBreaker } from "../breakers/provider-breaker.ts";
import type { RepositorySettings } from "../settings/repository-settings.ts";
import type { TransitionRequest } from "./transition-request.ts";

/** Everything the engine is given; it makes none of it. */
export interface EngineContext {
  readonly store: Store;
  readonly github: GitHub;
  readonly worktrees: Worktrees;
  readonly runtime: AgentRuntime;
  readonly runner: Pick<Runner, "run" | "killMarked">;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** Who answers the model calls: the provider with its key, or else the runtime's own account. */
  readonly account: ModelAccount;
  readonly provider: ModelProvider | undefined;
  readonly accountKey: string | undefined;
  /** The App's bot account. */
  readonly identity: { readonly slug: string; readonly botLogin: string; readonly botId: number };
  /** The name of this machine. */
  readonly node: string;
  /** Origin of the GitHub server, as `https://github.com`. */
  readonly site: string;
  /** SHA-256 in hex. */
  readonly digest: (text: string) => string;
  /** A word that nobody can guess, another one with each call. */
  readonly nonce: () => string;
  /** Takes our own secrets, and what looks like one, out of texts that are kept or shown. */
  readonly redact: Redact;
  /** The environment of setup and acceptance commands apart from their home; nothing of ours is in it. */
  readonly commandEnv: Readonly<Record<string, string>>;
  /**
   * Makes sure that a directory exists, readable by us only, and returns its absolute path: all of a session, the home
   * of its shells, the empty workplace of a role without a worktree, or what belongs to the evaluator of its claims: not
   * within the session's, where the agent itself may write.
   */
  readonly directories: {
    readonly session: (agentId: number) => Promise<string>;
    readonly home: (agentId: number) => Promise<string>;
    readonly workplace: (agentId: number) => Promise<string>;
    /** What the setups of one repository share, with directories of these names in it. */
    readonly cache: (repositoryId: number, names: readonly string[]) => Promise<string>;
    readonly evaluation: (agentId: number) => Promise<string>;
    /** Deletes those of an agent that has ended: setups leave whole caches in its home. */
    readonly drop: (agentId: number) => Promise<void>;
  };
  /** What GitHub has answered to the delivery that is being handled; nothing outside of one. */
  readonly heard: () => Answers;
  /** Names in the log what is being done. */
  readonly within: Within;
  /** Of our tools and the runtime's own. */
  readonly toolKind: (toolName: string) => ToolKind;
  /** The open pull requests for an issue that are not ours, as a start by a label counts them. Throws `GitHubError`. */
  readonly pullsOfPeople: (
    tools: Pick<EngineContext, "github" | "settings" | "identity" | "log">,
    repository: RepositoryRow,
    issue: GitHubIssue,
  ) => Promise<PullsOfPeople>;
  readonly ledger: DayLedger;
  readonly parking: ProviderBreaker;
  /** Whether agents may start: null, or why not. */
  readonly diskRoom: { refusal: string | null };
  /** Has the status comments compared with what holds their agents. */
  readonly shownHolds: { look(): void };
  /** What the subjects do in the kernel's transactions; `engine/registry.ts`. */
  readonly registry: Registry;
  /** Told after each commit that changed something: work may be waiting. */
  readonly changed: () => void;
  /** How long GitHub's lists may lag behind a write whose answer was lost; `SECOND_LOOK_MS` outside tests. */
  readonly secondLookMs: number;
  readonly crashPoint: AtCrashPoint;
  /**
   * The settings of a repository: those of its own file within the operator's. In memory: what it says now, be it in the
   * middle of an agent's work. `settings` are the operator's, of what no repository sets.
   */
  readonly settingsOf: (repositoryId: number) => Settings;
  readonly ownSettings: Pick<
    RepositorySettings,
    "of" | "all" | "faultyIn" | "load" | "fresh" | "look" | "round"
  >;
  /** Of all repositories with a file of their own, and the operator's. */
  readonly allSettings: () => readonly Settings[];
  readonly roleOf: (agent: Pick<AgentRecord, "repositoryId" | "role">) => Role | undefined;
}

/** The steps of one transaction, and what they came to. */
export interface StepContext {
  readonly context: EngineContext;
  readonly tables: Tables;
  readonly fact: TransitionRequest;
  readonly moved: { machine: string; event: string; id: number; to: string; version: number }[];
  readonly refused: Refusal[];
}

/** What a move tells other machines; which records those are is looked up when its turn has come. */
export type CascadingMoves = () => Promise<readonly Move[]>;

/** Steps one machine, and then all that follows from it. */
export type ApplyMove = (move: Move) => Promise<void>;

/** A record and the event that moved it; `before` undefined for a new one. */
export interface Stepped<R, E> {
  readonly before: R | undefined;
  readonly after: R;
  readonly event: E;
}

/** What subjects do in `advance`; each list in the order in which it is called. All but the last are in its transaction. */
interface Subscribers {
  readonly beforeMoves: readonly ((tx: StepContext, apply: ApplyMove) => Promise<void>)[];
  /** After each step of an agent, before what its move tells other machines. */
  readonly afterAgentStep: readonly ((
    tx: StepContext,
    stepped: Stepped<AgentRecord, AgentEvent>,
  ) => Promise<void>)[];
  /** After each step of a task; the moves come after those that the task itself asks for. */
  readonly afterTaskStep: readonly ((
    tx: StepContext,
    stepped: Stepped<TaskRecord, TaskEvent>,
  ) => Promise<readonly CascadingMoves[]>)[];
  /** After each move of the request and all that follows from it. */
  readonly afterMove: readonly ((tx: StepContext, apply: ApplyMove, move: Move) => Promise<void>)[];
  readonly afterMoves: readonly ((tx: StepContext, apply: ApplyMove) => Promise<void>)[];
  /** Save those rows of the change set that are their subject's. */
  readonly saveRows: readonly ((
    context: EngineContext,
    tables: Tables,
    fact: TransitionRequest,
  ) => Promise<void>)[];
  readonly afterCommit: readonly ((context: EngineContext, fact: TransitionRequest) => Promise<void>)[];
}

/** The event of an agent that a guard judges, and the open task of its issue. */
export interface Guarded {
  readonly agent: AgentRecord;
  readonly event: AgentEvent;
  readonly task: TaskRecord | undefined;
}

/** Reads what a guard depends on, in the transaction of the move. */
type GuardProvider<T> = (context: EngineContext, tables: Tables, guarded: Guarded) => Promise<T>;

/** How subjects take part in what the kernel does. */
export interface Registry {
  readonly steps: {
    readonly [M in Move["machine"]]: (tx: StepContext, move: MoveOf<M>) => Promise<readonly CascadingMoves[]>;
  };
  readonly subscribers: Subscribers;
  readonly guards: {
    readonly [K in "held" | "budget" | "review" | "attention"]: GuardProvider<GuardContext[K]>;
  } & {
    readonly rejectedBy: GuardProvider<GuardContext["work"]["rejectedBy"]>;
    /** For a CREATE: why there are too many agents already. */
    readonly tooMany: GuardProvider<string | null>;
    /** For a START: what blocks the issue on GitHub; null where that has not been read yet. */
    readonly openBlockers: GuardProvider<readonly string[] | null>;
  };
}
