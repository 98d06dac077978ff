import type { Redact } from "../../domain/access/redact.ts";
import type { AgentEvent, GuardContext } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { Chooses } from "../../domain/agents/start-choice.ts";
import type { ModelAccount } from "../../domain/breakers/provider-breaker.ts";
import type { PullsOfPeople } from "../../domain/events/domain-event.ts";
import type { RunningCommand } from "../../domain/evidence/running-command.ts";
import type { Skill } from "../../domain/instructions/skill.ts";
import type { Move, MoveOf } from "../../domain/kernel/change-set.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Refusal } from "../../domain/kernel/state-machine.ts";
import type { Picture, PictureFault } from "../../domain/pictures/picture.ts";
import type { AgentRuntime, ModelProvider } from "../../domain/ports/agent-runtime.ts";
import type { Camera } from "../../domain/ports/camera.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub, GitHubIssue } from "../../domain/ports/github.ts";
import type { GitHubRoom } from "../../domain/ports/github-app.ts";
import type { Log, WithLogContext } from "../../domain/ports/log.ts";
import type { McpServers } from "../../domain/ports/mcp-servers.ts";
import type { Notices } from "../../domain/ports/notices.ts";
import type { OperatorFiles } from "../../domain/ports/operator-files.ts";
import type { Disk, Runner } from "../../domain/ports/runner.ts";
import type { Store, Tables } from "../../domain/ports/store.ts";
import type { Worktrees } from "../../domain/ports/worktrees.ts";
import type { NodeRow } from "../../domain/recovery/node.ts";
import type { NodeRoles } from "../../domain/recovery/node-roles.ts";
import type { Answers } from "../../domain/replay/recorded-answers.ts";
import type { ToolKind } from "../../domain/sessions/tool-kind.ts";
import type { RuntimeUse } from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import type { Room } from "../agents/room.ts";
import type { DayLedger } from "../breakers/day-ledger.ts";
import type { ProviderBreaker } from "../breakers/provider-breaker.ts";
import type { RepositorySettings } from "../settings/repository-settings.ts";
import type { TransitionRequest } from "./transition-request.ts";

/** The dependencies of the engine, created by the composition root. */
export interface EngineContext {
  readonly store: Store;
  readonly github: GitHub;
  readonly githubRoom: GitHubRoom;
  readonly worktrees: Worktrees;
  /** By name. An agent keeps its own for life: see `runtimeOf`. */
  readonly runtimes: ReadonlyMap<string, AgentRuntime>;
  readonly runner: Pick<Runner, "run" | "killMarked" | "services">;
  readonly mcpServers: McpServers;
  readonly notices: Notices;
  readonly disk: Disk;
  readonly operatorFiles: OperatorFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  /** The built-in runtime's own account, which pays where there is no provider. */
  readonly ownAccount: ModelAccount | null;
  /** That of `runtime.provider`, with its key. */
  readonly provider: ModelProvider | undefined;
  /** Those of `providers`, with their keys. */
  readonly providers: ReadonlyMap<string, ModelProvider>;
  readonly accountKey: string | undefined;
  /** The App's bot account. */
  readonly identity: { readonly slug: string; readonly botLogin: string; readonly botId: number };
  /** The name of this machine. */
  readonly node: string;
  /** The version of Flotilla. */
  readonly version: string;
  /** The highest schema number that this version knows. */
  readonly reads: number;
  /** Whether no other node uses the database. */
  readonly alone: boolean;
  /** The parts of the work that this node has. */
  readonly roles: NodeRoles;
  /** The key to which tokens are sealed for this node; null where it needs none. */
  readonly publicKey: string | null;
  /** Origin of the GitHub server, such as `https://github.com`. */
  readonly site: string;
  /** Origin under which people open the dashboard; null where texts link to none. */
  readonly publicUrl: string | null;
  /** Returns the SHA-256 digest in hex. */
  readonly digest: (content: string | Uint8Array) => string;
  /** Returns a random text that nobody can guess; a new one at each call. */
  readonly nonce: () => string;
  /** Returns the front matter of a text, null where it has none that can be read, and what comes after it. */
  readonly frontMatter: (text: string) => {
    readonly data: Readonly<Record<string, unknown>> | null;
    readonly body: string;
  };
  /** Writes a picture anew, as a model gets it; or says why not. Never rejects. */
  readonly readPicture: (bytes: Uint8Array) => Promise<Picture | PictureFault>;
  readonly camera: Camera;
  /** Removes our own secrets, and what looks like a secret, from texts that are stored or shown. */
  readonly redact: Redact;
  /**
   * The environment variables of setup and acceptance commands, except their home; none of ours is among
   * them.
   */
  readonly commandEnv: Readonly<Record<string, string>>;
  /** Returns a text that changes with the programs and libraries that commands with this environment find here. */
  readonly programsFound: (env: Readonly<Record<string, string>>) => Promise<string>;
  /**
   * Each creates a directory that only we can read and returns its absolute path: a session's, the home of
   * its shells, the empty working directory of a role without a worktree, or the evaluator's, which lies
   * outside the session's, where the agent may write.
   */
  readonly directories: {
    readonly session: (agentId: number) => Promise<string>;
    readonly home: (agentId: number) => Promise<string>;
    readonly workplace: (agentId: number) => Promise<string>;
    /** Returns the path of a file outside of what the agent may write; its directory exists. */
    readonly sentFile: (agentId: number) => Promise<string>;
    /** Returns the cache that the setups of one repository share, with a directory of each name. */
    readonly cache: (repositoryId: number, names: readonly string[]) => Promise<string>;
    readonly evaluation: (agentId: number) => Promise<string>;
    /** Writes the skills into a directory of the agent's that it can only read, in place of earlier ones. */
    readonly skills: (agentId: number, skills: readonly Skill[]) => Promise<string>;
    /** Deletes the directories of an ended agent: setups leave whole caches in its home. */
    readonly drop: (agentId: number) => Promise<void>;
  };
  /** Returns GitHub's answers to the delivery that is being handled; none outside of a delivery. */
  readonly recordedResponses: () => Answers;
  /** Adds fields to all log lines of the given work. */
  readonly within: WithLogContext;
  /** Returns the kind of one of our tools or of the tools of the agent's runtime. */
  readonly toolKind: (toolName: string, agent: Pick<AgentRecord, "runtime">) => ToolKind;
  /**
   * Returns the open pull requests for an issue that are not ours, as the start by a label counts them.
   * Throws `GitHubError`.
   */
  readonly pullsOfPeople: (
    tools: Pick<EngineContext, "github" | "settings" | "identity" | "log">,
    repository: RepositoryRow,
    issue: GitHubIssue,
  ) => Promise<PullsOfPeople>;
  readonly nodes: {
    /**
     * Returns whether another node that runs has the agent: its worktree, conversation and process are there. One that is
     * drained leaves its agents to others.
     */
    isElsewhere(agent: Pick<AgentRecord, "node">): boolean;
    readonly mayJudge: boolean;
    /** Whether agents may work here. */
    readonly mayGoOn: boolean;
    /** Whether this node is drained: it starts and wakes no agent, and those at work rest after their turn. */
    readonly isDraining: boolean;
    /** Whether a newer version runs beside this one, which may write rows that this one cannot read. */
    readonly isBesideNewer: boolean;
    /** Whether it also leaves everything that another node can do. */
    readonly leavesToOthers: boolean;
    /** Returns the other nodes that run agents, without those that are drained. */
    otherRunners(): readonly NodeRow[];
  };
  readonly ledger: DayLedger;
  readonly providerBreaker: ProviderBreaker;
  /** Why no agent may start because of the disk; null when agents may. */
  readonly diskRoom: { refusal: string | null };
  readonly room: Room;
  /** Memory that this process and everything it starts may use. */
  readonly memoryBytes: number;
  /** The setup and acceptance commands that run at this moment, by agent. */
  readonly runningCommands: Map<number, RunningCommand>;
  /** Requests that the status comments be compared with the holds of their agents. */
  readonly shownHolds: { requestRound(): void };
  /** The functions that the subjects add to the kernel's transactions; see `engine/registry.ts`. */
  readonly registry: Registry;
  /** Called after each commit that changed something: work may be due. */
  readonly changed: () => void;
  /**
   * How long GitHub's lists may lag behind a write whose answer was lost; `SECOND_LOOKUP_MS` outside of tests.
   */
  readonly secondLookupMs: number;
  readonly crashPoint: AtCrashPoint;
  /**
   * Returns the current settings of a repository: its own file within the operator's settings. They may
   * change while an agent works. `settings` are the operator's, for what no repository sets.
   */
  readonly settingsOf: (repositoryId: number) => Settings;
  readonly ownSettings: Pick<
    RepositorySettings,
    "of" | "all" | "faultyIn" | "load" | "fresh" | "refresh" | "round"
  >;
  /** Returns the operator's settings and those of all repositories with a file of their own. */
  readonly allSettings: () => readonly Settings[];
  /** Returns the role as the agent has it: in its runtime, with the model, tools and temperature that its start chose. */
  readonly roleOf: (agent: Chooses) => Role | undefined;
  /** Returns the runtime and the models of the agent. */
  readonly useOf: (agent: Chooses) => RuntimeUse;
}

/** The state of one transaction: its tables, its request and what it has done so far. */
export interface StepContext {
  readonly context: EngineContext;
  readonly tables: Tables;
  readonly request: TransitionRequest;
  readonly moved: { machine: string; event: string; id: number; to: string; version: number }[];
  readonly refused: Refusal[];
}

/** Returns the moves that a move causes in other machines; reads the records only when it is called. */
export type CascadingMoves = () => Promise<readonly Move[]>;

/** Steps one machine, and then everything that follows. */
export type ApplyMove = (move: Move) => Promise<void>;

/** A record before and after the event that moved it; `before` is undefined for a new record. */
export interface Stepped<R, E> {
  readonly before: R | undefined;
  readonly after: R;
  readonly event: E;
}

/**
 * Functions of the subjects that `advance` calls, each list in order. All but the last run in its
 * transaction.
 */
interface Subscribers {
  readonly beforeMoves: readonly ((tx: StepContext, apply: ApplyMove) => Promise<void>)[];
  /** Called after each step of an agent, before the moves that the step causes in other machines. */
  readonly afterAgentStep: readonly ((
    tx: StepContext,
    stepped: Stepped<AgentRecord, AgentEvent>,
  ) => Promise<void>)[];
  /** Called after each step of a task; their moves follow those that the task itself asks for. */
  readonly afterTaskStep: readonly ((
    tx: StepContext,
    stepped: Stepped<TaskRecord, TaskEvent>,
  ) => Promise<readonly CascadingMoves[]>)[];
  /** Called after each move of the request and everything that follows from it. */
  readonly afterMove: readonly ((tx: StepContext, apply: ApplyMove, move: Move) => Promise<void>)[];
  readonly afterMoves: readonly ((tx: StepContext, apply: ApplyMove) => Promise<void>)[];
  /** Each saves the rows of the change set that belong to its subject. */
  readonly saveRows: readonly ((
    context: EngineContext,
    tables: Tables,
    request: TransitionRequest,
  ) => Promise<void>)[];
  readonly afterCommit: readonly ((context: EngineContext, request: TransitionRequest) => Promise<void>)[];
}

/** The event of an agent that a guard decides on, and the open task of its issue. */
export interface Guarded {
  readonly agent: AgentRecord;
  readonly event: AgentEvent;
  readonly task: TaskRecord | undefined;
}

/** Reads a fact that a guard depends on, in the transaction of the move. */
type GuardProvider<T> = (context: EngineContext, tables: Tables, guarded: Guarded) => Promise<T>;

/** The functions that subjects add to the kernel. */
export interface Registry {
  readonly steps: {
    readonly [M in Move["machine"]]: (tx: StepContext, move: MoveOf<M>) => Promise<readonly CascadingMoves[]>;
  };
  readonly subscribers: Subscribers;
  readonly guards: {
    readonly [K in "held" | "budget" | "review" | "attention"]: GuardProvider<GuardContext[K]>;
  } & {
    readonly rejectedBy: GuardProvider<GuardContext["work"]["rejectedBy"]>;
    /** Returns why there are too many agents for a CREATE, or null. */
    readonly tooManyAgents: GuardProvider<string | null>;
    /** Returns what blocks the issue of a START on GitHub; null where that was not read yet. */
    readonly openBlockers: GuardProvider<readonly string[] | null>;
  };
}
