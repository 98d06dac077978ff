import type { AgentRecord } from "../../core/machines/agent-record.ts";
import { decided, joined, NOTHING, type Reaction } from "../../core/reaction.ts";
import { LOOKED_AT, nitStorm, rubberStamp } from "../../core/review/alarms.ts";
import type { GivenVerdict } from "../../core/review/verdict.ts";
import type { EngineContext } from "../context.ts";

/** What is strange about a reviewer's verdicts, with the one that it gives now: a decision each, and the operator's log. */
export async function alarmsOf(
  context: EngineContext,
  { id: agentId, role }: AgentRecord,
  { taskId, given }: { readonly taskId: number; readonly given: GivenVerdict },
): Promise<Reaction> {
  const { verdicts } = context.store;
  const now = { approves: given.verdict === "approve", comments: given.comments };
  const before = (await verdicts.ofTask(taskId)).filter(({ reviewer }) => reviewer === role);
  const stamp = rubberStamp(role, [now, ...(await verdicts.latestOf(role, LOOKED_AT))]);
  const nits = nitStorm(role, [...before, now]);
  for (const reason of [stamp, nits])
    if (reason !== null) context.log.warn({ role, reason }, "reviews look careless");
  const told = { agentId, shown: true };
  return joined(
    stamp === null
      ? NOTHING
      : decided("rubber_stamp", stamp, { ...told, change: "read one of them yourself, and its prompt" }),
    nits === null
      ? NOTHING
      : decided("nit_storm", nits, { ...told, change: "review it yourself, or change its prompt" }),
  );
}
