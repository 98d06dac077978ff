import { z } from "zod";
import { ask, operator } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { refused } from "../refused.ts";

const stopped = z.object({
  scope: z.string(),
  news: z.boolean(),
  agents: z.array(z.string()),
  still_stopping: z.int(),
});

const resumed = z.object({ still_held: z.array(z.string()) });

const options = {
  all: { type: "boolean", says: "all repositories" },
  repo: { type: "string", value: "owner/name", says: "only this repository" },
} as const;

export const pause: Command = {
  name: "pause",
  summary: "stop all agents, or those of a repository: save and stop those at work, start and wake none",
  usage: "flotilla pause --all | --repo owner/name [--reason text]",
  details: [
    "The emergency stop. It saves the work of every agent in the scope, ends its process within 15 s and puts it to sleep. Webhooks that arrive meanwhile are stored. The pause survives restarts and lasts until you run `flotilla resume` with the same scope.",
    "To pause a single agent, use `flotilla agents pause <agent>`.",
  ],
  options: {
    ...options,
    reason: { type: "string", value: "text", says: "the reason; it is shown with the pause" },
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
  summary: "end a pause of everything or of a repository",
  usage: "flotilla resume --all | --repo owner/name",
  details: [
    "Ends the pause that `flotilla pause` set with the same scope. Agents continue in the order in which they waited. Ending the pause of everything does not end the pause of a repository, and the other way round.",
  ],
  options,
  examples: ["flotilla resume --all", "flotilla resume --repo acme/shop"],
  run: (context) => {
    const scope = scopeGiven(context);
    if (scope === undefined) return Promise.resolve(1);
    return ask(context, "/resume", { scope, by: operator() }, (answer) => {
      const { still_held: held } = resumed.parse(answer);
      if (held.length === 0) return `${said(scope)} continues.`;
      return [
        `Your pause of ${scope === "all" ? "everything" : scope} is ended, but:`,
        ...held.map((one) => `- ${one}`),
      ].join("\n");
    });
  },
};

/** Returns the scope, `all` or `owner/name`; undefined after printing what is missing. */
function scopeGiven(context: CommandContext): string | undefined {
  const { options: given, args } = context;
  const repo = given["repo"];
  const all = given["all"] === true;
  if (args.length === 0 && all !== (typeof repo === "string")) return all ? "all" : String(repo);
  refused(context, "Give either --all or --repo owner/name.");
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
