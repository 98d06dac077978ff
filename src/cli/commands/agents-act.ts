import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ask, operator } from "../ask.ts";
import type { CommandContext } from "../command.ts";
import { refused } from "../refused.ts";

type Verb = (context: CommandContext) => Promise<number>;

const heard = z.object({ agent: z.string(), heard: z.string() });
const interrupted = z.object({ agent: z.string(), interrupted: z.boolean() });
const acted = z.object({
  agent: z.string(),
  state: z.string(),
  holds: z.array(z.object({ what: z.string(), ends: z.string() })),
});

const changed = z.object({
  agent: z.string(),
  ends_at: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
});

/** The verbs that act on one agent through the running Flotilla. */
export const agentVerbs: Readonly<Record<string, Verb>> = {
  send: (context) => {
    const [, agent, ...words] = context.args;
    const text = words.join(" ");
    if (agent === undefined || text.trim() === "")
      return misused(context, "Run `flotilla agents send <agent> <text>`.");
    return ask(context, "/agents/send", { agent, text, id: randomUUID() }, (answer) => {
      const told = heard.parse(answer);
      return `${told.agent} hears it ${told.heard}.`;
    });
  },
  interrupt: (context) => {
    const [, agent, ...words] = context.args;
    if (agent === undefined) return misused(context, "Run `flotilla agents interrupt <agent> [text]`.");
    const body = { agent, text: words.join(" "), id: randomUUID() };
    return ask(context, "/agents/interrupt", body, (answer) => {
      const told = interrupted.parse(answer);
      return told.interrupted
        ? `${told.agent} was interrupted.`
        : `${told.agent} is not talking: there was nothing to interrupt.`;
    });
  },
  pause: acting("pause"),
  resume: (context) => {
    const { rounds } = context.options;
    if (rounds === undefined) return acting("resume")(context);
    if (typeof rounds !== "string" || !/^[1-9]\d{0,3}$/.test(rounds))
      return misused(context, "--rounds takes a whole number from 1 to 9999.");
    return acting("resume", { rounds: Number(rounds) })(context);
  },
  kill: acting("kill"),
  retry: acting("retry"),
  revive: acting("revive"),
  set: (context) => {
    const [, agent, ...words] = context.args;
    if (agent === undefined || words.length === 0)
      return misused(context, "Run `flotilla agents set <agent> ttl=8h tag=word label=key=value`.");
    const body = { agent, id: randomUUID(), by: operator(), set: words };
    return ask(context, "/agents/set", body, (answer) => {
      const now = changed.parse(answer);
      const ends = now.ends_at === null ? "no time to live" : `lives until ${now.ends_at}`;
      const attributes = [...Object.entries(now.labels).map((pair) => pair.join("=")), ...now.tags];
      return `${now.agent}: ${ends}; ${attributes.length === 0 ? "no labels and tags" : attributes.join(" ")}.`;
    });
  },
};

function acting(verb: string, more: object = {}): Verb {
  return (context) => {
    const { args, options } = context;
    const [, agent, ...others] = args;
    if (agent === undefined || others.length > 0)
      return misused(context, `Run \`flotilla agents ${verb} <agent> [--reason text]\`.`);
    const reason = typeof options["reason"] === "string" ? { reason: options["reason"] } : {};
    const body = { agent, id: randomUUID(), by: operator(), ...reason, ...more };
    return ask(context, `/agents/${verb}`, body, (answer) => {
      const now = acted.parse(answer);
      const held = (verb === "pause" ? [] : now.holds).map(({ what, ends }) => ` Held: ${what} → ${ends}.`);
      return `${now.agent} is ${now.state}.${held.join("")}`;
    });
  };
}

function misused(context: CommandContext, text: string): Promise<number> {
  return Promise.resolve(refused(context, text, AGENTS));
}

const AGENTS = "`flotilla agents list` shows their names.";
