import type { Redact } from "../../domain/access/redact.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { PullsOfPeople } from "../../domain/events/domain-event.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { AgentRuntime, ModelProvider } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub, GitHubIssue } from "../../domain/ports/github.ts";
import type { Log, Within } from "../../domain/ports/log.ts";
import type { Disk, Runner } from "../../domain/ports/runner.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Worktrees } from "../../domain/ports/worktrees.ts";
import type { Answers } from "../../domain/replay/recorded-answers.ts";
import type { ToolKind } from "../../domain/sessions/tool-kind.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { DayLedger } from "../breakers/day-ledger.ts";
import type { DiskRoom } from "../breakers/disk-watch.ts";
import type { ProviderBreaker } from "../breakers/provider-breaker.ts";
import type { RepositorySettings } from "../settings/repository-settings.ts";
import type { ShownHolds } from "../status/shown-holds.ts";

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
  /** The provider with its key, or undefined with `gitHubToken` for GitHub Copilot. */
  readonly provider: ModelProvider | undefined;
  readonly gitHubToken: string | undefined;
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
  readonly diskRoom: DiskRoom;
  readonly shownHolds: Pick<ShownHolds, "look">;
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
