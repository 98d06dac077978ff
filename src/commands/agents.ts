import { STATE_WORDS } from "../core/state-words.ts";
import { agentVerbs } from "./agents-act.ts";
import { list, show } from "./agents-read.ts";
import { showTranscript } from "./agents-transcript.ts";
import { waitFor } from "./agents-wait.ts";
import type { Command, CommandContext } from "./command.ts";
import { LIMIT } from "./long-list.ts";
import { unknownVerb } from "./refused.ts";

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
    "flotilla agents [list] [--state ESCALATED] [--tag x] [--label key=value]",
    "       flotilla agents show | transcript <agent>",
    "       flotilla agents send <agent> <text>",
    "       flotilla agents interrupt <agent> [text]",
    "       flotilla agents pause | kill <agent> [--reason text]",
    "       flotilla agents resume <agent> [--rounds n] [--reason text]",
    "       flotilla agents retry | revive <agent> [--reason text]",
    "       flotilla agents set <agent> ttl=8h tag=word label=key=value",
    "       flotilla agents wait <agent> --for COMPLETED,ESCALATED [--timeout 10m]",
  ].join("\n"),
  details: [
    "An agent is named owner/name:agent, as `list` shows it. list, show and transcript read the database, Flotilla need not run; the others ask the running Flotilla.",
  ],
  verbs: {
    list: "what is paused, then one line for each agent",
    show: "its fields, the latest decisions about it, and what is kept of it",
    transcript: "all that is kept of what it did, one line for each event, the oldest first",
    send: "a message: a sleeper is woken by it, one at work hears it with the answer of its next tool",
    interrupt: "ends what it is doing now; the conversation goes on with your words, if any",
    pause: "saves its work and holds it until resume; `flotilla pause` does so with everything",
    resume:
      "lifts that hold, or lets an ESCALATED one go on, or a coder whose work reviews rejected too often; one whose turns are used waits for `/flotilla continue` on its issue",
    kill: "ends it (CANCELLED), its process at once, and gives up its work where that is BLOCKED; the branch is kept",
    retry:
      "tries at once what waits after an error, whatever it waits for; an ESCALATED, FAILED or CANCELLED one gets a new attempt",
    revive: "starts a new attempt after an ESCALATED, FAILED or CANCELLED one",
    set: "a time to live from when it was made (ttl=8h, ttl=none), tags (tag=word, untag=word) and labels (label=key=value, unlabel=key)",
    wait: "until it is in one of the states, of the agent (SLEEPING, COMPLETED …) or of its conversation (idle, waiting_approval …); exit code 1 when it ended otherwise or the time is over",
  },
  options: {
    state: {
      type: "string",
      says: "(list) filter by state: UPPERCASE matches the agent; lowercase matches agent, run or conversation",
      values: STATE_WORDS,
      of: ["list"],
    },
    tag: {
      type: "string",
      value: "tags",
      says: "(list) comma-separated; all must match",
      of: ["list"],
    },
    label: {
      type: "string",
      value: "labels",
      says: "(list) key=value, comma-separated; all must match",
      of: ["list"],
    },
    role: { type: "string", value: "role", says: "(list) filter by role", of: ["list"] },
    mode: { type: "string", says: "(list) filter by mode", values: ["continuous", "one_shot"], of: ["list"] },
    by: { type: "string", value: "login", says: "(list) started by this user", of: ["list"] },
    limit: { ...LIMIT, says: "(list) at most so many", of: ["list"] },
    reason: {
      type: "string",
      value: "text",
      says: "of pause, resume, kill, retry and revive: why; the agent reads it where it goes on or begins",
      of: ["pause", "resume", "kill", "retry", "revive"],
    },
    rounds: {
      type: "string",
      value: "number",
      says: "of resume after a review deadlock: how many more rounds of review; as many as `review.max_cycles` without it",
      of: ["resume"],
    },
    for: {
      type: "string",
      value: "states",
      says: "of wait: the states, with commas between them",
      of: ["wait"],
    },
    timeout: {
      type: "string",
      value: "duration",
      says: "of wait: for how long; 10m without it",
      of: ["wait"],
    },
  },
  examples: [
    "flotilla agents list --state waiting_approval --label team=core",
    'flotilla agents send acme/shop:feat-dev-issue-42 "Use the old port."',
    "flotilla agents set acme/shop:feat-dev-issue-42 ttl=8h label=team=core",
    "flotilla agents wait acme/shop:feat-dev-issue-42 --for COMPLETED --timeout 2h",
  ],
  async run(context) {
    const [verb = "list"] = context.args;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run !== undefined) return run(context);
    return unknownVerb(context, "agents", verb, Object.keys(verbs));
  },
};
