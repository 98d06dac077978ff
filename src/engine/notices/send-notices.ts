import { agentPage } from "../../domain/agents/agent-page.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { cutHead } from "../../domain/messages/format.ts";
import { asked, isReady, type Notice } from "../../domain/notices/notice.ts";
import { noticeMessage } from "../../domain/notices/notice-message.ts";
import { plainText } from "../../domain/notices/plain-text.ts";
import { quietUntil } from "../../domain/notices/quiet-hours.ts";
import { withoutHiddenCharacters } from "../../domain/safe-text/without-hidden-characters.ts";
import { type NoticeEvent, noticeEvent } from "../../domain/settings/notices-section.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import type { Executor } from "../outbox/execution.ts";
import { readNeedFacts } from "../status/needs-human.ts";
import { readHeadline } from "../status/read-headline.ts";

/** The most notices of one message; others follow in the next one. */
const AT_ONCE = 50;
/** How long a receiver can have a notice wait, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * Sends the notice, together with those that wait behind it for the same receiver. Leaves out what is over: a question that
 * was answered, work that is no longer up for review.
 */
export const sendNotices: Executor<"notify"> = async ({ context, effect, row }) => {
  const { clock, digest, notices, settings, store } = context;
  const now = clock.now();
  const receiver = settings.notices[effect.receiver];
  if (receiver === undefined)
    throw new OutsideError("no_receiver", `no receiver of notices is named ${effect.receiver} any more`, {
      consequence: "stop",
    });
  const retryAt = quietUntil(receiver.quiet, now);
  if (retryAt !== null)
    throw new OutsideError("quiet_hours", `it is a quiet hour of ${effect.receiver}`, {
      consequence: "park",
      retryAt,
    });
  const waiting = await store.effects.find({ lane: row.lane, state: "pending" });
  const others = waiting
    .filter(({ notBefore }) => notBefore <= now + (receiver.digestMs ?? 0))
    .slice(0, AT_ONCE - 1);
  const sent: Notice[] = [];
  for (const one of newestOfEach([row, ...others])) {
    const notice = await noticeOf(context, one);
    if (notice !== null) sent.push(notice);
  }
  if (sent.length > 0) {
    const body = noticeMessage(receiver.format, sent);
    const id = `msg_${digest(`${row.key} ${body}`).slice(0, 32)}`;
    const isOld = now - row.createdAt - (receiver.digestMs ?? 0) > LONGEST_MS;
    await notices
      .send({ receiver: effect.receiver, id, body })
      .catch((error: unknown) => Promise.reject(isOld ? forGood(error) : error));
  }
  const result = { notices: sent.length };
  return {
    result,
    also: (tables) =>
      tables.effects.settleTogether(
        others.map(({ id }) => id),
        { result: { with: row.id }, at: now },
      ),
  };
};

/** A receiver that asks to wait again and again is given up like one that is down. */
function forGood(error: unknown): unknown {
  const isParked = error instanceof OutsideError && error.consequence === "park";
  return isParked ? new OutsideError("rate_limited", error.message, { consequence: "stop" }) : error;
}

/** Of the same event of the same issue only the newest: its text says all there is to say. */
function newestOfEach(rows: readonly EffectRow[]): readonly EffectRow[] {
  const newest = new Map<string, EffectRow>();
  for (const row of rows) {
    const key = `${row.repositoryId}#${row.issue} ${eventOf(row)}`;
    newest.delete(key);
    newest.set(key, row);
  }
  return [...newest.values()];
}

function eventOf({ payload }: EffectRow): NoticeEvent | null {
  return payload.kind === "notify" ? (noticeEvent.safeParse(payload.event).data ?? null) : null;
}

/** Returns what the row is to say now; null where it is over. */
async function noticeOf(context: EngineContext, row: EffectRow): Promise<Notice | null> {
  const event = eventOf(row);
  const { repositoryId, issue } = row;
  const repository = await context.store.repositories.get(repositoryId);
  if (event === null || repository === undefined) return null;
  const facts = await readNeedFacts(
    { tables: context.store, settings: context.settings },
    repositoryId,
    issue,
  );
  if (event === "ready" && !isReady(facts)) return null;
  if (
    !["ready", "merged", "incident"].includes(event) &&
    !facts.agents.some((agent) => asked(agent) === event)
  )
    return null;
  const pull = facts.agents.findLast(({ prNumber }) => prNumber !== null)?.prNumber ?? null;
  const place =
    (event === "ready" || event === "merged") && pull !== null ? `pull/${pull}` : `issues/${issue}`;
  const { title, line } = await readHeadline(context, repository, issue);
  const text = event === "incident" ? await incidentText(context, row) : plainText(line);
  if (text === null) return null;
  // Before the message is made of them: its escapes would hide a secret.
  const clean = (given: string) => context.redact(withoutHiddenCharacters(given));
  return {
    event,
    at: row.createdAt,
    repository: fullName(repository),
    issue,
    title: title === null ? null : clean(title).replace(/\s+/g, " ").trim(),
    text: clean(text),
    page: pageOf(context, fullName(repository), facts.agents),
    url: `${context.site}/${fullName(repository)}/${place}`,
  };
}

/** Returns null where the incident is over. */
async function incidentText(
  { store }: EngineContext,
  { repositoryId, issue }: EffectRow,
): Promise<string | null> {
  const incident = (await store.incidents.list()).findLast(
    (one) => one.repositoryId === repositoryId && one.firstIssue === issue,
  );
  if (incident?.state !== "open") return null;
  const where = incident.scope === "all" ? "everything" : "this repository";
  return `Agents of several issues failed in the same way, so ${where} is paused: ${cutHead(incident.text, 500)}`;
}

/** Returns the page of the agent that people are most likely to look for: the coder, or the latest. */
function pageOf(
  { publicUrl }: EngineContext,
  repository: string,
  agents: readonly Pick<AgentRecord, "name" | "coder">[],
): string | null {
  const agent = agents.findLast(({ coder }) => coder) ?? agents.at(-1);
  return agent === undefined ? null : (agentPage(publicUrl, repository, agent.name)?.url ?? null);
}
