import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Intent } from "../../domain/sessions/intent.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { toolRefusal, toolSuccess } from "./define-tool.ts";

/** Records what a report asks for; the first one of an exchange counts. `fault` = why it is refused. */
export async function recordIntent(
  { context, agent }: Pick<ToolContext, "context" | "agent">,
  intent: Intent,
  fault?: () => Promise<string | null>,
): Promise<ToolAnswer> {
  const current = await context.store.records.get("agent", agent.id);
  if (current?.state !== "ACTIVE" || current.token !== agent.token)
    return toolRefusal("Your period is over.");
  const refused = fault === undefined ? null : await fault();
  if (refused !== null) return toolRefusal(refused);
  const ref = await worktreeOf(context, agent);
  const head = ref === null ? null : (await context.worktrees.status(ref)).head;
  const row = await context.store.intents.add({
    agentId: agent.id,
    token: agent.token,
    kind: intent.kind,
    payload: intent,
    commit: head,
    createdAt: context.clock.now(),
  });
  context.crashPoint("turn:intent");
  if (row === undefined) return toolRefusal("You have reported already; the first report counts.");
  return toolSuccess("Recorded. Nothing more runs after this.");
}
