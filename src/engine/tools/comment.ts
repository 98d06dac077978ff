import { z } from "zod";
import type { Tables } from "../../domain/ports/store.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import type { Settings } from "../../domain/settings/settings.ts";
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
      refusal: ({ tables, settings, agent }) => commentLimit(tables, settings, agent.id),
      done: () => "The comment is posted.",
    }),
});

/** Returns why an agent may write no further comment, for the model, or null. */
export async function commentLimit(
  { effects }: Pick<Tables, "effects">,
  { policy }: Pick<Settings, "policy">,
  agentId: number,
): Promise<string | null> {
  const { comments } = policy.maxOutputs;
  const rows = await effects.find({ agentId, kind: "post_comment" });
  // Comments that the engine writes in the agent's name do not count.
  return rows.filter((row) => row.key.includes(":call-")).length >= comments
    ? `You have made ${comments} comments, which is the limit.`
    : null;
}
