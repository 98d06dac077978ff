import type { Command } from "../command.ts";
import { refused, unknownVerb } from "../refused.ts";
import { add } from "../runtimes/add.ts";

const VERBS = ["add"] as const;

export const runtimes: Command = {
  name: "runtimes",
  summary: "install the agents that Flotilla runs beside its own",
  usage: "flotilla runtimes add <agent>",
  details: [
    "Flotilla brings one agent along, Copilot's. The others are programs of their makers, each under its own terms: `add` has npm install the version that Flotilla was tried with into the data directory, without running scripts of packages. An installation that is interrupted changes nothing.",
    "An installed agent works where the configuration names it, below `runtimes`.",
  ],
  verbs: { add: "install an agent, or the version that this Flotilla was tried with" },
  options: {},
  examples: ["flotilla runtimes add claude", "flotilla runtimes add opencode --json"],
  async run(context) {
    const [verb] = context.args;
    if (verb === "add") return add(context);
    if (verb === undefined)
      return refused(context, "Name what to do.", "Run `flotilla runtimes add <agent>`.");
    return unknownVerb(context, "runtimes", verb, VERBS);
  },
};
