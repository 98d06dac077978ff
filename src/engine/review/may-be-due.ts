import { LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { reviewerRoles } from "../../domain/review/review-due.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { taskOf } from "../kernel/find-records.ts";

/** Returns whether work waits for a reviewer: an obstacle may have passed without a webhook. */
export async function reviewMayBeDue(
  { store, settingsOf }: EngineContext,
  repositoryId: number,
  issue: number,
): Promise<boolean> {
  const role = reviewerRoles(settingsOf(repositoryId)).map(({ name }) => name);
  if (role.length === 0) return false;
  if ((await taskOf(store, repositoryId, issue))?.state !== "READY_FOR_REVIEW") return false;
  const live = await store.records.find("agent", { repositoryId, issue, role, state: LIVE_AGENT_STATES });
  return live.length === 0;
}
