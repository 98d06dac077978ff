import type { RuntimeEntry } from "../runtime-entry.ts";
import { builtinTools } from "./builtin-tools.ts";
import { createCopilotRuntime } from "./runtime.ts";
import { runtimeVersion } from "./runtime-version.ts";

export const copilot: RuntimeEntry = {
  name: "copilot",
  title: "Copilot runtime",
  account: { name: "GitHub Copilot", keyVariable: "COPILOT_GITHUB_TOKEN" },
  tools: builtinTools,
  version: () => runtimeVersion(),
  // The runtime version with which our SDK version was published.
  oldest: "1.0.14",
  create: (host) => createCopilotRuntime(host),
};
