import type { RunEventRow } from "../kernel/rows.ts";
import type { RunEvent } from "../kernel/run-event.ts";

/** Characters of one entry. */
const LONGEST = 400;

interface Entry {
  readonly at: number;
  readonly turn: number | null;
  readonly words: string;
  /** True for a piece of the model's text. */
  readonly spoken: boolean;
}

/** Returns what an agent did, one line for each event, the oldest first; pieces of the model's text are joined. */
export function transcript(rows: readonly RunEventRow[]): readonly string[] {
  const entries: Entry[] = [];
  for (const entry of rows.flatMap(entryOf)) {
    const last = entries.at(-1);
    if (last?.spoken === true && entry.spoken)
      entries.splice(-1, 1, { ...last, words: `${last.words}${entry.words}` });
    else entries.push(entry);
  }
  return entries.filter(({ words }) => words.trim() !== "").map(line);
}

function entryOf({ at, turn, event }: RunEventRow): readonly Entry[] {
  if (event.type === "stream:token") return [{ at, turn, words: event.data.text, spoken: true }];
  const words = wordsOf(event);
  return words === null ? [] : [{ at, turn, words, spoken: false }];
}

function line({ at, turn, words, spoken }: Entry): string {
  const flat = `${spoken ? "says: " : ""}${words}`.replace(/\s+/g, " ").trim();
  const shown = flat.length > LONGEST ? `${flat.slice(0, LONGEST - 1)}…` : flat;
  return `${new Date(at).toISOString()}  turn ${turn ?? 0}  ${shown}`;
}

/** Returns null for an event that another line already reports. */
function wordsOf(event: Exclude<RunEvent, { type: "stream:token" }>): string | null {
  switch (event.type) {
    case "agent:starting":
      return `awake: ${because(event.data.cause, event.data.reason)}`;
    case "agent:step":
      return null;
    case "agent:paused":
      return `rests: ${because(event.data.state, event.data.reason)}`;
    case "agent:error":
      return "tool" in event.data.details ? null : `error: ${because(event.data.code, event.data.error)}`;
    case "agent:completed":
      return `completed: ${event.data.result}`;
    case "agent:cleanup":
      return `given back: ${event.data.what}`;
    case "agent:service":
      return `service ${event.data.service}, ${event.data.what.replace("_", " ")}: ${event.data.detail}`;
    case "agent:model":
      return modelChangedWords(event.data);
    case "approval:requested":
      return `asks a person (${event.data.kind}): ${event.data.subject}`;
    case "tool:start":
      return `calls ${event.data.tool}: ${event.data.input}`;
    case "tool:running":
      return `${event.data.tool} runs`;
    case "tool:result":
      return `${event.data.tool} ended, ${event.data.status}: ${event.data.output}`;
    case "state:update": {
      const { machine, from, to, event: move, actor, reason } = event.data;
      return because(`${machine} ${from} → ${to} (${move} by ${actor})`, reason);
    }
  }
}

/** Says in one sentence which model answers from now on, and why. */
function modelChangedWords({ from, to, reason }: Extract<RunEvent, { type: "agent:model" }>["data"]): string {
  return `${to} answers in place of ${from}: ${reason}`;
}

function because(what: string, reason: string | null): string {
  return reason === null ? what : `${what}: ${reason}`;
}
