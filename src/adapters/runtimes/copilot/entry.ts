import type { RuntimeEntry } from "../runtime-entry.ts";
import { builtinTools } from "./builtin-tools.ts";
import { createCopilotRuntime } from "./runtime.ts";
import { runtimeVersion } from "./runtime-version.ts";
import { toolGuidance } from "./tool-guidance.ts";

const KEY = "COPILOT_GITHUB_TOKEN";

export const copilot: RuntimeEntry = {
  name: "copilot",
  title: "Copilot runtime",
  account: { name: "GitHub Copilot", keyVariable: KEY },
  variables: { [KEY]: "Token of GitHub Copilot, needed without `runtime.provider`." },
  tools: builtinTools,
  guidance: toolGuidance,
  version: () => runtimeVersion(),
  // The runtime version with which our SDK version was published.
  oldest: "1.0.14",
  create: (host) => createCopilotRuntime(host),
};
