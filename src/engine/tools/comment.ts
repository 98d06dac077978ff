import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { text } from "./arguments.ts";
import { defineTool } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";

export const comment = defineTool({
  name: "comment",
  description:
    "Write a comment on your issue. Only for what people need to know now: they see your progress anyway, and the number of comments is limited.",
  purpose: "write a comment on the agent's issue; at most `policy.max_outputs.comments` an agent",
  schema: z.strictObject({ body: text(60_000, "Markdown") }),
  kind: "write",
  terminal: false,
  sanitize: { body: sanitizers.markdown },
  run: ({ body }, given) =>
    queueOutput(given, {
      effect: (agent, count) => ({
        kind: "post_comment",
        name: `${agent.name}-says-${agent.token}-${count}`,
        body,
      }),
      refusal: async ({ tables, settings, agent }) => {
        const { comments } = settings.policy.maxOutputs;
        const rows = await tables.effects.find({ agentId: agent.id, kind: "post_comment" });
        // Comments that the engine writes in the agent's name do not count.
        return rows.filter((row) => row.key.includes(":call-")).length >= comments
          ? `You have made ${comments} comments, which is the limit.`
          : null;
      },
      done: () => "The comment is posted.",
    }),
});
