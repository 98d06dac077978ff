import { z } from "zod";
import type { DeliveryRow } from "../core/rows.ts";
import { deliveryJson } from "../dashboard/json.ts";
import { ask } from "./ask.ts";
import type { Command, CommandContext } from "./command.ts";
import { reading } from "./data-directory.ts";

const STATES = ["pending", "claimed", "done", "ignored", "dead"] as const;

export const deliveries: Command = {
  name: "deliveries",
  summary: "list the webhook deliveries, handle one again, or ask for what is missing",
  usage:
    "flotilla deliveries [list] [--state dead] [--json]\n       flotilla deliveries replay <guid>\n       flotilla deliveries sweep [--json]",
  details: [
    "list      the newest 100, with their outcome; reads the database, Flotilla need not run",
    "replay    hands a settled delivery (done, ignored or dead) to the running Flotilla again",
    "sweep     asks GitHub at once for the webhooks that never arrived, as is done every ten minutes",
    "",
    "Example: flotilla deliveries list --state dead",
  ],
  options: { state: { type: "string" }, json: { type: "boolean" } },
  async run(context) {
    const [verb = "list", guid] = context.args;
    if (verb === "list") return list(context);
    if (verb === "replay" && guid !== undefined) return replay(context, guid);
    if (verb === "sweep") return ask(context, "/deliveries/sweep", {}, swept);
    context.print(
      "Say `flotilla deliveries list`, `flotilla deliveries replay <guid>` or `flotilla deliveries sweep`.",
    );
    return 1;
  },
};

function swept(answer: unknown): string {
  const { asked, later } = z.object({ asked: z.int(), later: z.int() }).parse(answer);
  if (asked === 0) return "No webhook is missing.";
  const rest = later === 0 ? "" : ` ${later} more are asked for within a minute.`;
  return `GitHub was asked for ${asked} webhooks that never arrived.${rest}`;
}

async function list(context: CommandContext): Promise<number> {
  const { options, print } = context;
  const state = STATES.find((known) => known === options["state"]);
  if (options["state"] !== undefined && state === undefined) {
    print(`There is no state "${String(options["state"])}". States: ${STATES.join(", ")}.`);
    return 1;
  }
  const rows = await reading(context, (store) =>
    store.deliveries.list(state === undefined ? {} : { state }, 100),
  );
  if (options["json"] === true) print(JSON.stringify({ deliveries: rows.map(deliveryJson) }));
  else if (rows.length === 0) print("No deliveries.");
  else for (const row of rows) print(line(row));
  return 0;
}

function line(row: DeliveryRow): string {
  const name = row.action === null ? row.event : `${row.event}.${row.action}`;
  const note = row.note === null ? "" : `  ${row.note}`;
  return `${new Date(row.receivedAt).toISOString()}  ${row.guid}  ${row.state.padEnd(7)}  ${name}${note}`;
}

async function replay(context: CommandContext, guid: string): Promise<number> {
  return ask(
    context,
    `/deliveries/${encodeURIComponent(guid)}/replay`,
    {},
    () => `${guid} is handled again.`,
  );
}
