import type { IncomingMessage } from "node:http";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHubLimits } from "../../domain/ports/github-app.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { SettingInForce } from "../../domain/settings/setting-in-force.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Answer } from "../../http/answer.ts";
import type { TokenGate } from "../../http/token-gate.ts";
import type { PersonalTokens } from "../auth/personal-tokens.ts";
import type { SignInCookies } from "../auth/sign-in-cookies.ts";
import type { Rights, RightsParts } from "../auth/viewer.ts";
import type { AgentReadParts } from "./agent-reads.ts";
import type { EventStreams, Wanted } from "./event-streams.ts";
import type { ReadTurns } from "./read-turns.ts";

/** Carries out an operation of the running engine, with the same paths and bodies as the command line uses. */
type Act = (path: string, body: object) => Promise<{ readonly status: number; readonly body: object }>;

/** What the dashboard needs of the engine: GitHub's address, limits in force, permissions, labels, and operations. */
export type DashboardParts = Omit<AgentReadParts, "store"> &
  Omit<RightsParts, "repositories"> & {
    readonly act: Act;
    readonly settings: Settings;
    /** Returns those of the labels that a repository lacks; the answer may be a minute old. Throws `GitHubError`. */
    readonly missingLabels: (
      repository: RepositoryRow,
      labels: readonly string[],
    ) => Promise<readonly string[]>;
    /**
     * Returns, by repository, what its day's budget allows and what is reserved of its budgets, in micro-dollars; the limit is
     * null where it is off.
     */
    readonly dayBudgets: (
      repositoryIds: readonly number[],
    ) => Promise<ReadonlyMap<number, { readonly allowed: number | null; readonly reserved: number }>>;
    /** The configuration and the variables of this process, without secrets. */
    readonly inForce: readonly SettingInForce[];
  };

export interface ApiOptions {
  readonly store: Store;
  readonly events: EventStreams;
  /** Checks the token of every request except health checks. */
  readonly gate: TokenGate;
  /** Returns null if ready for work, otherwise the reason why not. */
  readonly notReady: () => Promise<string | null>;
  readonly limitWaits: GitHubLimits["limitWaits"];
  /** What the dashboard needs in addition to the store. */
  readonly page: DashboardParts;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
  /** Returns whether something is waiting that takes precedence over long reads. */
  readonly isUrgent: () => boolean;
}

/** How much is paused; "unknown" where the database does not answer in time. */
export type Paused = "all" | "some" | "none" | "unknown";

/** What routes are answered from. */
export interface ApiParts extends DashboardParts {
  readonly store: Store;
  readonly turns: ReadTurns;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What only health, sign-in and streams need. */
  readonly options: ApiOptions;
  readonly paused: () => Promise<Paused>;
}

/** A request for a route, with what its definition asks for. */
export interface RouteAsked {
  readonly request: IncomingMessage;
  readonly cookies: SignInCookies;
  readonly tokens: PersonalTokens;
  /** What stands in the path in place of `{name}`. */
  readonly at: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as the route's schema parsed it; undefined for a route without one. */
  readonly body: unknown;
}

/** A request of somebody who is known. */
export interface ViewerAsked extends RouteAsked {
  readonly rights: Rights;
}

/** An answer, or the events that are streamed in its place if there is room. */
export type Streamed = Answer & { readonly stream?: Wanted };
