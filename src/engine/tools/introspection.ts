import { z } from "zod";
import { defineTool } from "./define-tool.ts";

/** What an agent can learn about itself and the others. */
export const introspectionTools = [
  defineTool({
    name: "list_fleet",
    description:
      "List the agents that are at work in this repository, with their issue, role and state. Use it to see whether somebody else works on what you need.",
    schema: z.strictObject({}),
    terminal: false,
    run: (_args, host) => host.listFleet(),
  }),
  defineTool({
    name: "get_my_status",
    description: "Tell your own state, branch, pull request, your limits and what is used of them.",
    schema: z.strictObject({}),
    terminal: false,
    run: (_args, host) => host.status(),
  }),
] as const;
