import type { Command } from "../command.ts";
import { unknownVerb } from "../refused.ts";
import { add } from "../runtimes/add.ts";
import { list } from "../runtimes/list.ts";
import { tryAgent } from "../runtimes/try.ts";

const VERBS = ["list", "add", "try"] as const;

export const runtimes: Command = {
  name: "runtimes",
  summary: "list the programs that agents can run as, such as Claude Code; install and try one",
  usage:
    "flotilla runtimes list\n       flotilla runtimes add <runtime>\n       flotilla runtimes try <runtime>",
  details: [
    "A runtime is the program that an agent runs as. Copilot's is part of Flotilla. The others belong to their makers, each under its own terms: `add` installs the version that Flotilla was tested with from npm, into the data directory, and runs no scripts of packages. If you interrupt it, nothing changes. Where that version is there already, it compares the files with those that it installed, and installs it again if one is missing or altered.",
    "`try` runs one turn of an installed runtime in the sandbox, with a scripted model in place of a real one: you need no key, and it costs nothing. It shows how long the runtime took, and whether it started a program that a repository's files name.",
    "To use an installed runtime, name it below `runtimes` in the configuration, and in `runtime.use` or a role file. docs/runtimes.md shows how.",
  ],
  verbs: {
    list: "list them, with the installed version and the models of each",
    add: "install one, in the version that this Flotilla was tested with",
    try: "run one turn of an installed one, without a key",
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
