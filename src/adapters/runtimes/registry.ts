import type { AgentRuntime, RuntimeTools } from "../../domain/ports/agent-runtime.ts";
import { builtinTools } from "./copilot/builtin-tools.ts";
import { createCopilotRuntime } from "./copilot/runtime.ts";
import { runtimeVersion } from "./copilot/runtime-version.ts";

/** A runtime as the rest of the program sees it before it is made. */
interface RuntimeEntry {
  readonly name: string;
  /** As people read it. */
  readonly title: string;
  readonly tools: RuntimeTools;
  readonly create: (host: Parameters<typeof createCopilotRuntime>[0]) => AgentRuntime;
  /** The installed version. Throws `RuntimeError` where there is none. */
  readonly version: () => string;
  /** The oldest version that works. */
  readonly oldest: string;
}

/** The runtimes, by the name that an agent's record keeps. */
const RUNTIMES = {
  copilot: {
    name: "copilot",
    title: "Copilot runtime",
    tools: builtinTools,
    create: createCopilotRuntime,
    version: () => runtimeVersion(),
    // The version with which the SDK that we use was published.
    oldest: "1.0.14",
  },
} as const satisfies Readonly<Record<string, RuntimeEntry>>;

/** The one that agents use. */
export const RUNTIME: RuntimeEntry = RUNTIMES.copilot;
