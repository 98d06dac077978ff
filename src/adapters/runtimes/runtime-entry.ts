import type { ModelAccount } from "../../domain/breakers/provider-breaker.ts";
import type { AtCrashPoint } from "../../domain/kernel/crash-points.ts";
import type { AgentRuntime } from "../../domain/ports/agent-runtime.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { Runner } from "../../domain/ports/runner.ts";

/** Deletes a directory with all it holds, and what else bears that name; a missing one is fine. Follows no link. */
export type RemoveTree = (path: string) => Promise<void>;

/** What a runtime is given by its host. */
export interface RuntimeHost {
  /** Confines its processes, and finds them by their mark. */
  readonly runner: Runner;
  readonly log: Log;
  readonly clock: Clock;
  /** The host's environment: only the names that agents may see are taken from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The hosts that agents may reach. */
  readonly hosts: readonly string[];
  readonly removeTree: RemoveTree;
  /** How long opening a conversation may take; undefined: as the runtime thinks fit. */
  readonly openMs?: number | undefined;
  readonly crashPoint?: AtCrashPoint;
}

/** All that the rest of the program knows of a runtime, before one is created. */
export interface RuntimeEntry extends Pick<AgentRuntime, "name" | "tools"> {
  /** As people read it. */
  readonly title: string;
  /** Who answers the model calls where no provider is configured; null: the configuration must name a provider. */
  readonly account: ModelAccount | null;
  /** The installed version. Throws `RuntimeError` where there is none. */
  readonly version: () => string;
  /** The oldest version that works. */
  readonly oldest: string;
  readonly create: (host: RuntimeHost) => AgentRuntime;
}
