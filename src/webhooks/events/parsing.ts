import type { z } from "zod";
import { backfilledId } from "../../domain/backfill/backfilled-delivery.ts";
import type { DomainEvent } from "../../domain/events/domain-event.ts";
import type { RepositoryEvent } from "../../domain/events/repository-event.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { shapeFault } from "../../domain/kernel/shape-fault.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Log } from "../../domain/ports/log.ts";
import type { DeliveryTable, RepositoryTable } from "../../domain/ports/store.ts";
import { allowsRepository, type Settings } from "../../domain/settings/settings.ts";
import { envelopeShape } from "../payload.ts";
import { createWhoMayAsk, type WhoMayAsk } from "../who-may-ask.ts";
import { OWN_ACT } from "./own-act.ts";

/** The dependencies of the webhook readers. */
export interface ReadingTools {
  readonly settings: Settings;
  /** Returns the settings of a repository, and reads its own file again. */
  readonly ownSettings: {
    fresh(repository: RepositoryRow): Promise<Settings>;
    refresh(repository: RepositoryRow): Promise<void>;
  };
  readonly github: Pick<GitHub, "permission" | "pullRequest" | "pullRequests" | "reviews" | "issue">;
  readonly repositories: Pick<RepositoryTable, "get">;
  readonly deliveries: Pick<DeliveryTable, "known">;
  /** Identity of our App. */
  readonly identity: { readonly slug: string; readonly botId: number };
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * The result for a webhook: an event about an issue or about repositories, or the reason why it is ignored.
 */
export type ParsedWebhook = DomainEvent | RepositoryEvent | Ignored;
export interface Ignored {
  readonly ignored: string;
}

/**
 * Reads the payload of one kind of webhook. Throws `GitHubError` when a lookup fails, so that the delivery is
 * retried.
 */
export type WebhookParser = (
  webhook: { readonly id: string; readonly payload: unknown },
  tools: ReadingTools,
) => Promise<ParsedWebhook>;

/** Readers by webhook, named `event.action`, or `event` for one without an action. */
export type WebhookParsers = Readonly<Record<string, WebhookParser>>;

/** Facts that are known before the event's own fields are read. */
export interface ParseContext {
  readonly base: Pick<DomainEvent, "delivery" | "at" | "repository" | "actor">;
  /** True when our own App is the sender. */
  readonly own: boolean;
  readonly mayAsk: WhoMayAsk;
  readonly tools: ReadingTools;
}

/**
 * Creates a reader that checks `shape`, the repository and the installation. An unexpected payload is
 * ignored, with the path of its fault; it never throws.
 */
export function parser<S extends z.ZodType>(
  shape: S,
  read: (fields: z.output<S>, context: ParseContext) => Promise<DomainEvent | Ignored>,
): WebhookParser {
  return async (webhook, tools) => {
    const envelope = envelopeShape.safeParse(webhook.payload);
    if (!envelope.success) return { ignored: `not understood: ${shapeFault(envelope.error, "payload")}` };
    const fields = shape.safeParse(webhook.payload);
    if (!fields.success) return { ignored: `not understood: ${shapeFault(fields.error, "payload")}` };
    const { repository: raw, sender, installation } = envelope.data;
    const name = fullName({ owner: raw.owner.login, name: raw.name });
    if (!allowsRepository(tools.settings, name)) {
      return { ignored: `${name} is not on the list of repositories in the configuration` };
    }
    const installationId = installation?.id ?? (await tools.repositories.get(raw.id))?.installationId;
    if (installationId === undefined) return { ignored: "the App is not known to be installed there" };
    const repository = {
      id: raw.id,
      owner: raw.owner.login,
      name: raw.name,
      installationId,
      private: raw.private,
      defaultBranch: raw.default_branch,
    };
    const unread: { login: string; error: string }[] = [];
    const parsed = await read(fields.data, {
      base: { delivery: webhook.id, at: tools.clock.now(), repository, actor: sender },
      own: sender.id === tools.identity.botId,
      mayAsk: createWhoMayAsk({ ...tools, unread: ({ login }, error) => unread.push({ login, error }) }),
      tools: { ...tools, settings: await tools.ownSettings.fresh(repository) },
    });
    return unread.length === 0 || "ignored" in parsed ? parsed : { ...parsed, unread };
  };
}

/** Returns the event's base with whether the sender has permission here. */
export async function withPermission({
  base,
  mayAsk,
}: ParseContext): Promise<ParseContext["base"] & Pick<DomainEvent, "permitted">> {
  return { ...base, permitted: await mayAsk(base.repository, base.actor) };
}

/** Returns why this sender's text is ignored; undefined for people and for bots on `policy.bots`. */
export function ignoredSender(context: ParseContext): Ignored | undefined {
  const { actor } = context.base;
  if (context.own) return { ignored: OWN_ACT };
  if (actor.type !== "Bot" || context.tools.settings.policy.bots.includes(actor.id)) return undefined;
  return { ignored: `${actor.login} is a bot that policy.bots does not list` };
}

/** Returns whether a backfilled delivery has reported this already; `what` = its possible names. */
export async function wasBackfilled(
  { base, tools }: ParseContext,
  ...what: readonly string[]
): Promise<boolean> {
  const ids = what.map(backfilledId);
  return !ids.includes(base.delivery) && (await tools.deliveries.known(ids)).size > 0;
}
