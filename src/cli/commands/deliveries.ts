import { z } from "zod";
import type { ReadOnlyStore } from "../../adapters/store/database.ts";
import { deliveryJson } from "../../dashboard/api/json.ts";
import type { DeliveryRow } from "../../domain/kernel/rows.ts";
import type { Listed, PageOf } from "../../domain/ports/lists.ts";
import { OWN_ACT } from "../../webhooks/events/own-act.ts";
import { ask } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { LIMIT, LIMIT_FAULT, limitTyped, printList } from "../print-list.ts";
import { working } from "../progress.ts";
import { refused, unknownVerb } from "../refused.ts";
import { statesTyped } from "../state-words.ts";
import { replayAll } from "./replay-deliveries.ts";

const STATES = ["pending", "claimed", "done", "ignored", "dead"] as const;
type State = (typeof STATES)[number];
const SHOWN = 100;

export const deliveries: Command = {
  name: "deliveries",
  summary: "list webhook deliveries, process one again, or fetch missing ones",
  usage: [
    "flotilla deliveries [list] [--state dead] [--limit 500] [--own]",
    "       flotilla deliveries replay <guid> … | --state dead | --since 2h",
    "       flotilla deliveries sweep",
  ].join("\n"),
  details: [
    "With --since it replays the deliveries of that time that are dead, or in the state that --state names: the newest 1000 at most. Flotilla does not repeat what it has done for a delivery, but it may carry out a person's command again. Use --dry-run to see them first.",
  ],
  verbs: {
    list: "list the newest 100 with their outcome, without those about what Flotilla did itself; reads the database and works while Flotilla is stopped",
    replay: "have the running Flotilla process settled deliveries (done, ignored or dead) again, in order",
    sweep: "ask GitHub now for webhooks that never arrived; Flotilla does this every ten minutes",
  },
  options: {
    state: { type: "string", says: "show only those in this state", values: STATES, of: ["list", "replay"] },
    limit: { ...LIMIT, says: "list this many instead of 100", of: ["list"] },
    own: {
      type: "boolean",
      says: "also list those about what Flotilla did itself, such as its comments",
      of: ["list"],
    },
    since: {
      type: "string",
      says: "replay those that arrived within this time",
      value: "2h",
      of: ["replay"],
    },
    event: {
      type: "string",
      says: "replay only those of this event",
      value: "issues.labeled",
      of: ["replay"],
    },
    "dry-run": { type: "boolean", says: "show what would be replayed, without replaying it", of: ["replay"] },
  },
  examples: [
    "flotilla deliveries list --state dead",
    "flotilla deliveries replay --state dead",
    "flotilla deliveries replay --since 2h --event issues --dry-run",
    "flotilla deliveries sweep --json",
  ],
  async run(context) {
    const [verb = "list", ...guids] = context.args;
    const given = context.options["state"];
    const typed = typeof given === "string" ? statesTyped([given], STATES) : { states: [] };
    if ("unknown" in typed) return refused(context, typed.unknown);
    const state = STATES.find((known) => known === typed.states[0]);
    if (verb === "list") return list(context, state);
    if (verb === "replay") return replayAll(context, state, guids);
    if (verb === "sweep")
      return working("GitHub is asked for what is missing", () =>
        ask(context, "/deliveries/sweep", {}, swept),
      );
    return unknownVerb(context, "deliveries", verb, ["list", "replay", "sweep"]);
  },
};

function swept(answer: unknown): string {
  const { asked, later } = z.object({ asked: z.int(), later: z.int() }).parse(answer);
  if (asked === 0) return "No webhook is missing.";
  const rest = later === 0 ? "" : ` ${later} more are asked for within a minute.`;
  return `GitHub was asked for ${asked} webhooks that never arrived.${rest}`;
}

async function list(context: CommandContext, state: State | undefined): Promise<number> {
  const most = limitTyped(context);
  if (most === null) return refused(context, LIMIT_FAULT);
  await reading(context, (store) =>
    printList(
      context,
      {
        read: (page) =>
          deliveriesLike(store, { state: state ?? null, isOwnShown: context.options["own"] === true }, page),
        name: "deliveries",
        json: deliveryJson,
        head: HEAD,
        cells,
        none: "No deliveries.",
      },
      Number.isFinite(most) ? most : SHOWN,
    ),
  );
  return 0;
}

/** Reads until the page is full or the list ends, because what Flotilla did itself is left out of it. */
async function deliveriesLike(
  store: ReadOnlyStore,
  { state, isOwnShown }: { readonly state: State | null; readonly isOwnShown: boolean },
  { after, limit }: PageOf,
): Promise<readonly Listed<DeliveryRow>[]> {
  const found: Listed<DeliveryRow>[] = [];
  for (let next = after; found.length < limit; ) {
    const page = await store.lists.deliveries({ state, repositories: null }, { after: next, limit });
    found.push(...page.filter(({ row }) => isOwnShown || row.note?.startsWith(OWN_ACT) !== true));
    const last = page.at(-1);
    if (page.length < limit || last === undefined) break;
    next = last.position;
  }
  return found.slice(0, limit);
}

const HEAD = ["RECEIVED", "GUID", "STATE", "EVENT", "NOTE"];

function cells({ receivedAt, guid, state, event, action, note }: DeliveryRow): readonly string[] {
  const name = action === null ? event : `${event}.${action}`;
  return [new Date(receivedAt).toISOString(), guid, state, name, note ?? ""];
}
