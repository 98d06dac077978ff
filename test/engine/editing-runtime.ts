import { basename } from "node:path";
import { z } from "zod";
import type { AgentRuntime } from "../../src/domain/ports/agent-runtime.ts";
import type { FakeWorktrees } from "../fakes/worktrees.ts";
import type { Life } from "./life.ts";

const EDIT = z.object({ path: z.string(), content: z.string().nullable() });

/** The tool `edit` of the scripts writes into the agent's worktree; leftovers of an earlier life are reaped. */
export function editing(
  runtime: AgentRuntime,
  worktrees: FakeWorktrees,
  life: Pick<Life, "port">,
): AgentRuntime {
  return {
    name: runtime.name,
    tools: runtime.tools,
    get modes() {
      return runtime.modes;
    },
    open: async (spec) => {
      const session = await runtime.open({
        ...spec,
        onEvent: (event) => {
          if (event.type === "tool_started" && event.toolName === "edit") {
            const { path, content } = EDIT.parse(event.args);
            worktrees.write(basename(spec.workingDirectory), path, content);
          }
          spec.onEvent(event);
        },
      });
      return life.port("session", session);
    },
    destroy: (session) => runtime.destroy(session),
    ...(runtime.portable === undefined ? {} : { portable: runtime.portable }),
    reap: (sessions) => runtime.reap(sessions),
  };
}
