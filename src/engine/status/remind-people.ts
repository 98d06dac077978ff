import { setImmediate } from "node:timers/promises";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { decisionOnly } from "../../domain/kernel/change-set.ts";
import { reminderDue } from "../../domain/status/reminder.ts";
import { reminderComment } from "../../domain/status/reminder-comment.ts";
import { findSleepMove } from "../agents/find-sleep-move.ts";
import { LongSleepers } from "../agents/long-sleepers.ts";
import { advanceAgent, note } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { type HoldUnreadable, withReadableRows } from "../kernel/readable.ts";
import { heldBySprint } from "../planning/sprint-of.ts";

/**
 * Returns a round that reminds people of agents that wait for one of them, and later asks a second person, each once
 * even after a restart. Reminds nobody while the repository or the sprint is held, since an answer could not take
 * effect. Each round looks at one page of agents.
 */
export function reminders(context: EngineContext, holdUnreadable: HoldUnreadable): () => Promise<void> {
  const { settings, clock } = context;
  const { remindAfterMs, secondPersonAfterMs } = settings.questions;
  const sleepers = new LongSleepers(context.store, "may_be_reminded");
  return async () => {
    for (const agent of await sleepers.next(clock.now() - Math.min(remindAfterMs, secondPersonAfterMs) + 1))
      await withReadableRows(agent.id, holdUnreadable, () => remind(context, agent));
  };
}

async function remind(context: EngineContext, agent: AgentRecord): Promise<void> {
  const { store, settings, clock } = context;
  const at = clock.now();
  const due = reminderDue(agent, settings.questions, settings.escalation.notify, at);
  if (due === null || (await isShut(context, agent))) return;
  const slept = agent.state === "SLEEPING" ? await findSleepMove(store, agent) : null;
  const body = reminderComment(agent, slept, due);
  const name = `${agent.name}-reminder-${String(agent.sleepingSince)}-${due.reminders}`;
  const told =
    due.login === null ? "people are reminded" : `@${due.login} is ${due.second ? "asked too" : "reminded"}`;
  await advanceAgent(
    context,
    agent,
    {
      ...decisionOnly(
        due.second ? "second_person" : "reminded",
        `${told}: ${agent.name} still waits for a person`,
        {
          agentId: agent.id,
        },
      ),
      effects: [{ kind: "post_comment", name, body }],
    },
    { name, also: (tables) => note(tables, agent.id, { reminders: due.reminders }) },
  );
  await setImmediate();
}

async function isShut({ store }: EngineContext, agent: AgentRecord): Promise<boolean> {
  return (
    (await store.scopePauses.over(agent.repositoryId)).length > 0 ||
    (await heldBySprint(store, agent)).length > 0
  );
}
