import type { HostTool } from "../../domain/ports/agent-runtime.ts";
import type { ToolHost } from "../../domain/ports/tool-host.ts";
import type { Tool } from "./define-tool.ts";
import { evaluationTools } from "./evaluation.ts";
import { introspectionTools } from "./introspection.ts";
import { lifecycleTools } from "./lifecycle.ts";
import { planningTools } from "./planning.ts";
import { reviewTools } from "./review.ts";
import { workTools } from "./work.ts";

const TOOLS: readonly Tool[] = [
  ...lifecycleTools,
  ...workTools,
  ...reviewTools,
  ...planningTools,
  ...introspectionTools,
  ...evaluationTools,
];

/** Names of our tools; none is the name of a tool of the runtime's own. */
export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name);

/** Those of our tools that a role allows, for one agent; the others are not there at all. Unknown names are nobody's. */
export function toolsFor(allowed: readonly string[], host: ToolHost): readonly HostTool[] {
  return TOOLS.filter(({ name }) => allowed.includes(name)).map(
    ({ name, description, parameters, terminal, call }) => ({
      name,
      description,
      parameters,
      terminal,
      call: (args, { toolCallId }) => call(args, host, toolCallId),
    }),
  );
}
