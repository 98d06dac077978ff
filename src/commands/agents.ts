import { agentVerbs } from "./agents-act.ts";
import { list, show } from "./agents-read.ts";
import { showTranscript } from "./agents-transcript.ts";
import { waitFor } from "./agents-wait.ts";
import type { Command, CommandContext } from "./command.ts";

const verbs: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list,
  show,
  transcript: showTranscript,
  ...agentVerbs,
  wait: waitFor,
};

export const agents: Command = {
  name: "agents",
  summary: "list, show and operate the agents",
  usage: [
    "flotilla agents [list] [--state ESCALATED] [--json]",
    "       flotilla agents show <agent> [--json]",
    "       flotilla agents transcript <agent> [--json]",
    "       flotilla agents send <agent> <text> [--json]",
    "       flotilla agents interrupt <agent> [text] [--json]",
    "       flotilla agents pause | resume | kill | revive <agent> [--reason text] [--json]",
    "       flotilla agents wait <agent> --for COMPLETED[,ESCALATED] [--timeout 10m] [--json]",
  ].join("\n"),
  details: [
    "An agent is named owner/name:agent, as `list` shows it. list, show and transcript read the database,",
    "Flotilla need not run; the others ask the running Flotilla.",
    "",
    "transcript  all that is kept of what it did, one line for each event, the oldest first",
    "send        a message: a sleeper is woken by it, one at work hears it with the answer of its next tool",
    "interrupt   ends what it is doing now; the conversation goes on with your words, if any",
    "pause       saves its work and holds it until resume; `flotilla pause` does so with everything",
    "resume      lifts that hold, or lets an ESCALATED one go on; one whose turns are used waits for `/flotilla continue`",
    "            on its issue",
    "kill        ends it (CANCELLED), its process at once; the branch is kept",
    "revive      starts a new attempt after an ESCALATED, FAILED or CANCELLED one",
    "wait        until it is in one of the states, of the agent (SLEEPING, COMPLETED …) or of its conversation",
    "            (idle, waiting_approval …); exit code 1 when it ended otherwise or the time is over (10m by default)",
    "",
    "Exit code 0: done; 1: refused, not found or not understood; 2: failed, or no Flotilla is running there.",
    "With --json an error is { error: { code, message, hint, … } }; docs/operations.md lists the codes.",
    "",
    "Example: flotilla agents list --state SLEEPING",
    'Example: flotilla agents send acme/shop:feat-dev-issue-42 "Use the port of the old server."',
    "Example: flotilla agents wait acme/shop:feat-dev-issue-42 --for COMPLETED,ESCALATED --timeout 2h",
  ],
  options: {
    state: { type: "string" },
    reason: { type: "string" },
    for: { type: "string" },
    timeout: { type: "string" },
    json: { type: "boolean" },
  },
  async run(context) {
    const [verb = "list"] = context.args;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run !== undefined) return run(context);
    context.print(`There is no verb "${verb}". Say \`flotilla agents ${Object.keys(verbs).join(" | ")}\`.`);
    return 1;
  },
};
