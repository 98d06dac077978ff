import { z } from "zod";
import { systemClock } from "../../server/system-clock.ts";
import { ask, operator } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import { control } from "../control-client.ts";
import { dataDirectory, reading } from "../data-directory.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { typedSince } from "../since-typed.ts";

/** The maximum number of deliveries of one call, the newest first. Repeat the call for more dead ones. */
const AT_ONCE = 1000;

const refusal = z.object({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** The states of deliveries that can be handled again. */
const SETTLED = ["dead", "done", "ignored"] as const;
type Settled = (typeof SETTLED)[number];

const SAY =
  "Run `flotilla deliveries replay <guid> …`, `… replay --state dead` or `… replay --since 2h [--event issues] [--state done]`.";

/** Which deliveries to handle again; `from` in milliseconds since the epoch. */
interface Wanted {
  readonly state: Settled;
  readonly from: number | null;
  /** `event` or `event.action`. */
  readonly event: string | null;
}

/**
 * Implements `flotilla deliveries replay`: handles one delivery, several, or all in one state again, oldest
 * first: dead ones, or with `--since` those received since then. `--dry-run` only lists them.
 */
export async function replayAll(
  context: CommandContext,
  state: string | undefined,
  given: readonly string[],
): Promise<number> {
  const wanted = wantedBy(context, state);
  if (wanted === "unclear" || (wanted === null) === (given.length === 0)) return refused(context, SAY);
  const [only] = given;
  if (wanted === null && given.length === 1 && only !== undefined)
    return ask(context, pathOf(only), { by: operator() }, () => `${only} is handled again.`);
  const guids = wanted === null ? given : await chosen(context, wanted);
  if (context.options["dry-run"] === true) return shown(context, guids);
  const dataDir = dataDirectory(context);
  const replayed: string[] = [];
  const failed: { readonly guid: string; readonly message: string }[] = [];
  await working("deliveries are handed in", async ({ show }) => {
    for (const [index, guid] of guids.entries()) {
      show("deliveries are handed in", index, guids.length);
      const { status, body } = await control(dataDir, pathOf(guid), { by: operator() });
      if (status === 200) replayed.push(guid);
      else failed.push({ guid, message: refusal.parse(body).error.message });
    }
  });
  if (context.options["json"] === true) context.print(JSON.stringify({ replayed, refused: failed }));
  else {
    for (const { guid, message } of failed) context.complain(`${guid}: ${message}`);
    context.print(`${replayed.length} of ${guids.length} deliveries are handled again.`);
  }
  return failed.length === 0 ? 0 : 1;
}

/** Returns null where deliveries are named by guid, and "unclear" for contradictory options. */
function wantedBy({ options }: CommandContext, state: string | undefined): Wanted | null | "unclear" {
  const { since, event = null } = options;
  if (state === undefined && since === undefined)
    return event === null && options["dry-run"] !== true ? null : "unclear";
  const from = typeof since === "string" ? typedSince(since, systemClock.now()) : null;
  // Without `--since` only dead deliveries, because there is no limit to the number of handled ones.
  if (since === undefined ? state !== "dead" : from === null) return "unclear";
  const settled = SETTLED.find((one) => one === (state ?? "dead"));
  return settled === undefined || typeof event === "boolean" ? "unclear" : { state: settled, from, event };
}

/** Returns the newest matching deliveries, oldest first. */
async function chosen(context: CommandContext, { state, from, event }: Wanted): Promise<readonly string[]> {
  const [name, action] = event?.split(".", 2) ?? [];
  const where = {
    ...(name === undefined ? {} : { event: name }),
    ...(from === null ? {} : { receivedAt: { above: from - 1 } }),
  };
  const rows = await reading(context, (store) => store.deliveries.list({ state, ...where }, AT_ONCE));
  return rows
    .filter((row) => action === undefined || row.action === action)
    .toReversed()
    .map(({ guid }) => guid);
}

function shown({ options, print }: CommandContext, guids: readonly string[]): number {
  if (options["json"] === true) print(JSON.stringify({ would_replay: guids }));
  else {
    for (const guid of guids) print(guid);
    print(`${guids.length} deliveries would be handled again.`);
  }
  return 0;
}

function pathOf(guid: string): string {
  return `/deliveries/${encodeURIComponent(guid)}/replay`;
}
