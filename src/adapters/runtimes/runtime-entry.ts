import type { ModelAccount } from "../../domain/breakers/provider-breaker.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { AgentRuntime, Capability } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Runner } from "../../domain/ports/runner.ts";
import type { RefusedModels } from "./gateway/refused-models.ts";

/**
 * Deletes a directory with all contents, or anything else of that name; does nothing for a missing one.
 * Follows no link.
 */
export type RemoveTree = (path: string) => Promise<void>;

/** The host's dependencies of a runtime. */
export interface RuntimeHost {
  /** Confines the runtime's processes, and finds them by their mark. */
  readonly runner: Runner;
  readonly log: Log;
  readonly clock: Clock;
  /** The host's environment; only the variables that agents may see are used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The hosts that agents may reach. */
  readonly hosts: readonly string[];
  /** Whether agents may read from the operator's registries. */
  readonly registries: boolean;
  readonly removeTree: RemoveTree;
  /** Shared by all runtimes of the process. */
  readonly refusedModels: RefusedModels;
  /** Time limit for opening a conversation; undefined for the runtime's own. */
  readonly openMs?: number | undefined;
  readonly crashPoint?: AtCrashPoint;
}

/** What the rest of the program knows of a runtime before one is created. */
export interface RuntimeEntry extends Pick<AgentRuntime, "name" | "tools"> {
  /** The name that people read. */
  readonly title: string;
  /**
   * The account for model calls where no provider is configured; null means that the configuration must name
   * a provider.
   */
  readonly account: ModelAccount | null;
  /** The environment variables that only this runtime reads, each with its meaning for the page about the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Returns what it adds to the end of each system prompt: how the model uses the runtime's own tools. */
  readonly guidance: (capabilities: readonly Capability[]) => string;
  /** Returns the installed version. Throws `RuntimeError` where there is none. */
  readonly version: () => string;
  /** The oldest supported version. */
  readonly oldest: string;
  readonly create: (host: RuntimeHost) => AgentRuntime;
}
