import type { Command } from "../command.ts";
import { unknownVerb } from "../refused.ts";
import { add } from "../runtimes/add.ts";
import { list } from "../runtimes/list.ts";
import { tryAgent } from "../runtimes/try.ts";

const VERBS = ["list", "add", "try"] as const;

export const runtimes: Command = {
  name: "runtimes",
  summary: "list the agents that Flotilla can run, or install one beside its own",
  usage: "flotilla runtimes list\n       flotilla runtimes add <agent>\n       flotilla runtimes try <agent>",
  details: [
    "Flotilla brings one agent along, Copilot's. The others are programs of their makers, each under its own terms: `add` has npm install the version that Flotilla was tried with into the data directory, without running scripts of packages. An installation that is interrupted changes nothing.",
    "`try` has an installed agent do one turn in the sandbox, against a model that follows a script: it needs no key and costs nothing. It says what the agent used, and whether it started anything that a repository brings along.",
    "An installed agent works where the configuration names it, below `runtimes`.",
  ],
  verbs: {
    list: "list them, with what is installed and which models they ask",
    add: "install an agent, or the version that this Flotilla was tried with",
    try: "see an installed agent work, without a key",
  },
  options: {},
  examples: ["flotilla runtimes list", "flotilla runtimes add claude", "flotilla runtimes try claude"],
  async run(context) {
    const [verb = "list"] = context.args;
    if (verb === "list") return list(context);
    if (verb === "add") return add(context);
    if (verb === "try") return tryAgent(context);
    return unknownVerb(context, "runtimes", verb, VERBS);
  },
};
