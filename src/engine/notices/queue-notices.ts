import type { AgentEvent } from "../../domain/agents/agent-event.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { NewEffect } from "../../domain/kernel/rows.ts";
import { asked, isReady } from "../../domain/notices/notice.ts";
import type { NoticeEvent } from "../../domain/settings/notices-section.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { TaskEvent } from "../../domain/tasks/task-event.ts";
import type { TaskRecord } from "../../domain/tasks/task-record.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { CascadingMoves, StepContext, Stepped } from "../kernel/engine-context.ts";
import { readNeedFacts } from "../status/needs-human.ts";

/** Milliseconds within which a reviewer starts, or Flotilla merges: only then work is known to wait for a person. */
const READY_AFTER_MS = 20_000;

/** Tells people what an agent has begun to ask, and that work has begun to wait for them. */
export async function noticeAgent(
  tx: StepContext,
  { before, after }: Stepped<AgentRecord, AgentEvent>,
): Promise<void> {
  if (!hasReceivers(tx) || tx.request.gone === true) return;
  const { id, version } = after;
  const event = asked(after);
  if (event !== null && (before === undefined || asked(before) !== event))
    await queue(tx, event, after, `agent-${id}:v${version}`);
  if (before?.state === after.state && before.coder === after.coder) return;
  const now = await readNeedFacts(
    { tables: tx.tables, settings: tx.context.settings },
    after.repositoryId,
    after.issue,
  );
  const agents = now.agents.flatMap((agent) => (agent.id === id ? (before ?? []) : agent));
  if (isReady(now) && !isReady({ ...now, agents }))
    await queue(tx, "ready", after, `agent-${id}:v${version}`);
}

/** Tells people that work is merged, or has begun to wait for them. */
export async function noticeTask(
  tx: StepContext,
  { before, after }: Stepped<TaskRecord, TaskEvent>,
): Promise<readonly CascadingMoves[]> {
  if (!hasReceivers(tx) || tx.request.gone === true || before?.state === after.state) return [];
  const key = `task-${after.id}:v${after.version}`;
  if (after.state === "MERGED") await queue(tx, "merged", after, key);
  const now = await readNeedFacts(
    { tables: tx.tables, settings: tx.context.settings },
    after.repositoryId,
    after.issue,
  );
  if (isReady(now)) await queue(tx, "ready", after, key);
  return [];
}

/** The notices of an incident, one for each receiver. */
export function incidentNotices(
  settings: Pick<Settings, "notices">,
  place: Place & { readonly id: number; readonly at: number },
): readonly NewEffect[] {
  return rows(settings, "incident", place, { key: `incident-${place.id}`, at: place.at });
}

interface Place {
  readonly repositoryId: number;
  readonly issue: number;
}

const hasReceivers = ({ context }: StepContext) => Object.keys(context.settings.notices).length > 0;

async function queue(tx: StepContext, event: NoticeEvent, place: Place, key: string): Promise<void> {
  await tx.tables.effects.add(rows(tx.context.settings, event, place, { key, at: tx.request.at }));
}

/** One for each receiver that is told of this, so that one that is down holds up no other. */
function rows(
  { notices }: Pick<Settings, "notices">,
  event: NoticeEvent,
  { repositoryId, issue }: Place,
  { key, at }: { readonly key: string; readonly at: number },
): readonly NewEffect[] {
  return Object.entries(notices)
    .filter(([, { events }]) => events.includes(event))
    .map(([receiver, { digestMs = 0 }]) => ({
      ...issueEffect({ repositoryId, issue, effect: { kind: "notify", receiver, event }, at }),
      key: `${key}:notify:${event}:${receiver}`,
      notBefore: at + digestMs + (event === "ready" ? READY_AFTER_MS : 0),
    }));
}
