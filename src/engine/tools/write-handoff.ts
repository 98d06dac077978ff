import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { HANDOFF_TOOL } from "../../domain/sessions/tool-names.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal, toolSuccess } from "./define-tool.ts";

/** Writes the handoff for the next conversation: once per period, however often it is called. */
export const writeHandoff = defineTool({
  name: HANDOFF_TOOL,
  description:
    "Write a handoff for the conversation that continues your work. Possible only when you are asked for it, because your context is full. Ends your turn.",
  purpose:
    "write a handoff for the next conversation; every role has it, and may call it only when it is asked to",
  schema: z.strictObject({
    summary: text(20_000, "What was done, found and decided, and what is still open, with names of files"),
    next_action: text(2000, "The one thing to do next"),
  }),
  kind: "note",
  terminal: true,
  sanitize: { summary: sanitizers.visible, next_action: sanitizers.visible },
  run: ({ summary, next_action: nextAction }, { context: { store, clock }, agent }) =>
    store.transaction(async (tables) => {
      const current = await tables.records.get("agent", agent.id);
      if (current?.state !== "ACTIVE" || current.token !== agent.token)
        return toolRefusal("Your period is over.");
      const before = (await tables.handoffs.ofAgent(agent.id)).at(-1);
      const isKept =
        before?.writtenBy === "agent" &&
        before.sessionId === current.sessionId &&
        before.createdAt >= (current.activeSince ?? 0);
      if (!isKept)
        await tables.handoffs.add({
          agentId: agent.id,
          sessionId: current.sessionId,
          cause: "context",
          writtenBy: "agent",
          summary,
          nextAction,
          repeated: null,
          createdAt: clock.now(),
        });
      return toolSuccess("Kept. A new conversation continues from it.");
    }),
});
