import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { AFTER_TURN_MS } from "../../domain/recovery/node.ts";
import { parseDuration, printDuration } from "../../domain/settings/duration.ts";
import { systemClock } from "../../server/system-clock.ts";
import { operator, printed } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { type ControlAnswer, control } from "../control-client.ts";
import { dataDirectory } from "../data-directory.ts";
import { type Progress, working } from "../progress.ts";
import { refused } from "../refused.ts";

/** How often it looks whether the agents rest. */
const LOOK_MS = 500;
/** How long their work may take to be saved, once the time of the agents is over. */
const SAVING_MS = 60_000;

const state = z.object({
  machine: z.string(),
  state: z.string(),
  at_work: z.int(),
  saving: z.int(),
  others: z.array(z.string()),
});
type State = z.infer<typeof state>;

export const drain: Command = {
  name: "drain",
  summary: "prepare a machine for a stop or an upgrade",
  usage: [
    "flotilla drain [machine] [--after-turn] [--within 15m]",
    "       flotilla drain [machine] --undo",
  ].join("\n"),
  details: [
    "The machine starts and wakes no agent. Its agents rest: their work is saved and pushed, their conversations are kept, and the other machines continue them. The command waits for that; then stop the machine with SIGTERM. Without a name it drains the machine on which you run it; the overview lists the names.",
    "Some work is never pushed, such as work that looks as if it held a secret: docs/operations.md (When the disk is lost) says which. Keep the data directory until you know that nothing is missing.",
    "Without --after-turn the agents rest at once, as when you stop the machine. With it, each agent first finishes its turn. After 15 minutes (--within), Flotilla stops the turns that are left.",
    "Where only one machine runs, its agents rest until it is started again, or until you run `flotilla drain --undo`. A start always ends the drain.",
  ],
  options: {
    "after-turn": { type: "boolean", says: "let each agent finish the turn that it is in" },
    within: {
      type: "string",
      value: "time",
      says: `with --after-turn: how long that may take (${printDuration(AFTER_TURN_MS)})`,
    },
    undo: { type: "boolean", says: "let the machine start agents again" },
  },
  examples: ["flotilla drain --after-turn", "flotilla drain runner-2 --after-turn --within 30m"],
  async run(context) {
    const { args, options } = context;
    const [machine, ...more] = args;
    const { within } = options;
    const afterTurn = options["after-turn"] === true;
    const undo = options["undo"] === true;
    const typed = typeof within === "string" ? parseDuration(within) : AFTER_TURN_MS;
    if (machine === "")
      return refused(
        context,
        "The name of the machine is empty. Leave it out to drain the machine on which you run the command.",
      );
    if (within !== undefined && !afterTurn)
      return refused(context, "--within says how long turns may take: add --after-turn, or leave it out.");
    if (typed === undefined)
      return refused(
        context,
        `--within is no time: ${JSON.stringify(within)}. Write a number and s, m, h or d, such as 15m.`,
      );
    if (more.length > 0 || (undo && afterTurn))
      return refused(
        context,
        "Run `flotilla drain [machine] [--after-turn [--within 15m]]`, or with --undo.",
      );
    const withinMs = undo ? null : afterTurn ? typed : 0;
    const about = machine === undefined ? {} : { machine };
    return withinMs === null ? undone(context, about) : drained(context, about, withinMs);
  },
};

function undone(context: CommandContext, about: object): Promise<number> {
  const asking = control(dataDirectory(context), "/drain", { ...about, within_ms: null, by: operator() });
  return printed(context, asking, (answer) => `${state.parse(answer).machine} starts agents again.`);
}

async function drained(context: CommandContext, about: object, withinMs: number): Promise<number> {
  const asking = working("agents are put to rest", (progress) =>
    waited(context, { about, withinMs, progress }),
  );
  const code = await printed(context, asking, (answer) => words(state.parse(answer)));
  if (code !== 0) return code;
  const now = state.parse((await asking).body);
  return isOver(now) && (now.state === "draining" || now.state === "stopped") ? 0 : 1;
}

/** Asks for the drain, and then how far it is, until its agents rest or the time is over. */
async function waited(
  context: CommandContext,
  {
    about,
    withinMs,
    progress,
  }: { readonly about: object; readonly withinMs: number; readonly progress: Progress },
): Promise<ControlAnswer> {
  const dataDir = dataDirectory(context);
  const until = systemClock.now() + withinMs + SAVING_MS;
  let answer = await control(dataDir, "/drain", { ...about, within_ms: withinMs, by: operator() });
  while (answer.status === 200 && systemClock.now() < until) {
    const now = state.parse(answer.body);
    if (isOver(now)) break;
    progress.show(left(now));
    await pause(LOOK_MS);
    answer = await control(dataDir, "/drain/state", about);
  }
  return answer;
}

/** A machine that has stopped meanwhile, or was brought back, is not waited for either. */
function isOver(now: State): boolean {
  return now.state !== "draining" || (now.at_work === 0 && now.saving === 0);
}

function left({ at_work: atWork, saving }: State): string {
  const inTurn = `${agents(atWork)} still in a turn`;
  return saving === 0 ? inTurn : `${inTurn}, the work of ${saving} to be saved`;
}

function words(now: State): string {
  const { machine, state: its, others } = now;
  if (its === "lost") return `${machine} is lost: the other machines take over its agents.`;
  if (its !== "draining") return `${machine} is ${its}: it is not being drained any more.`;
  if (!isOver(now))
    return `${machine} is being drained, but ${left(now)}. Run the command again to wait longer.`;
  const elsewhere =
    others.length === 0
      ? "No other machine runs agents: its agents rest until it is started again"
      : `Its agents continue on ${others.join(", ")}`;
  return `${machine} is drained: stop it now. ${elsewhere}. \`flotilla drain --undo\` lets it start agents again.`;
}

const agents = (count: number) => (count === 1 ? "1 agent is" : `${count} agents are`);
