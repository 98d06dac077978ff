import { z } from "zod";
import { ask, operator } from "./ask.ts";
import type { Command, CommandContext } from "./command.ts";
import { refused } from "./refused.ts";

const stopped = z.object({
  scope: z.string(),
  news: z.boolean(),
  agents: z.array(z.string()),
  still_stopping: z.int(),
});

const options = {
  all: { type: "boolean", says: "everything" },
  repo: { type: "string", value: "owner/name", says: "this repository" },
} as const;

export const pause: Command = {
  name: "pause",
  summary: "the emergency stop: nothing starts or wakes, agents at work are saved and stopped",
  usage: "flotilla pause --all | --repo owner/name [--reason text]",
  details: [
    "Every agent of the scope that is at work sleeps, its work saved and its process ended within 15 s. What arrives meanwhile is kept. It holds over a restart, until `flotilla resume` with the same scope.",
    "One agent alone is paused with `flotilla agents pause <agent>`.",
  ],
  options: {
    ...options,
    reason: { type: "string", value: "text", says: "shown wherever the pause is shown" },
  },
  examples: [
    'flotilla pause --all --reason "the model provider answers nonsense"',
    "flotilla pause --repo acme/shop",
  ],
  run: (context) => {
    const scope = scopeGiven(context);
    if (scope === undefined) return Promise.resolve(1);
    const reason = context.options["reason"];
    const body = { scope, by: operator(), ...(typeof reason === "string" ? { reason } : {}) };
    return ask(context, "/pause", body, (answer) => pausedWords(stopped.parse(answer)));
  },
};

export const resume: Command = {
  name: "resume",
  summary: "lift a pause of everything or of a repository",
  usage: "flotilla resume --all | --repo owner/name",
  details: [
    "Lifts what `flotilla pause` set with the same scope. Agents go on in the order in which they waited. A pause of a repository stays when the pause of everything is lifted, and the other way round.",
  ],
  options,
  examples: ["flotilla resume --all", "flotilla resume --repo acme/shop"],
  run: (context) => {
    const scope = scopeGiven(context);
    if (scope === undefined) return Promise.resolve(1);
    return ask(context, "/resume", { scope, by: operator() }, () => `${said(scope)} goes on.`);
  },
};

/** `all` or `owner/name`; undefined after saying what is missing. */
function scopeGiven(context: CommandContext): string | undefined {
  const { options: given, args } = context;
  const repo = given["repo"];
  const all = given["all"] === true;
  if (args.length === 0 && all !== (typeof repo === "string")) return all ? "all" : String(repo);
  refused(context, "Say either --all or --repo owner/name.");
  return undefined;
}

function pausedWords({ scope, news, agents, still_stopping: still }: z.infer<typeof stopped>): string {
  const head = news ? `${said(scope)} is paused.` : `${said(scope)} was paused already.`;
  const saved = agents.length === 0 ? "No agent was at work." : `Put to sleep: ${agents.join(", ")}.`;
  const left = still === 0 ? "" : ` ${still} of their processes did not end in time and are killed.`;
  return `${head} ${saved}${left}`;
}

function said(scope: string): string {
  return scope === "all" ? "Everything" : scope;
}
