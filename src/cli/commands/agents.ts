import { findAgent } from "../../dashboard/api/agent-view.ts";
import { runEventJson } from "../../dashboard/api/json.ts";
import { STATE_WORDS } from "../../domain/agents/state-words.ts";
import { transcript } from "../../domain/conversation/transcript.ts";
import type { RunEventRow } from "../../domain/kernel/rows.ts";
import { faultOfUnknown } from "../../engine/commands/reach.ts";
import type { Command, CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { LIMIT } from "../print-list.ts";
import { refused, refusedBy, unknownVerb } from "../refused.ts";
import { agentVerbs } from "./agents-act.ts";
import { list, show } from "./agents-read.ts";
import { waitFor } from "./agents-wait.ts";

const verbs: Readonly<Record<string, (context: CommandContext) => Promise<number>>> = {
  list,
  show,
  transcript: showTranscript,
  ...agentVerbs,
  wait: waitFor,
  // Loads the runtimes, which no other verb needs.
  try: async (context) => (await import("./agents-try.ts")).tryRole(context),
};

export const agents: Command = {
  name: "agents",
  summary: "list, show and control the agents",
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
    "       flotilla agents try <role>",
  ].join("\n"),
  details: [
    "Name an agent as owner/name:agent, as `list` shows it. list, show and transcript read the database and work while Flotilla is stopped; the others need a running Flotilla.",
  ],
  verbs: {
    list: "show what is paused, then one line for each agent",
    show: "show its fields, the latest decisions about it, and its archived work",
    transcript: "show everything that is stored of what it did, one line for each event, oldest first",
    send: "send it a message: a sleeping agent wakes; one at work reads it with the result of its next tool call",
    interrupt: "stop its current turn; the conversation continues, with your text if you give one",
    pause: "save its work and hold it until resume; `flotilla pause` does this to all agents",
    resume:
      "end that hold, or let an ESCALATED agent continue, or a coder whose work was rejected too often; for an agent that used all its turns comment `/flotilla continue` on its issue",
    kill: "end it (CANCELLED), kill its process at once, and give up its task if that is BLOCKED; its branch is kept",
    retry:
      "retry at once if it waits after an error, whatever the delay; if it is ESCALATED, FAILED or CANCELLED, start a new attempt",
    revive: "start a new attempt after one that is ESCALATED, FAILED or CANCELLED",
    set: "set its time to live, counted from its creation (ttl=8h, ttl=none), its tags (tag=word, untag=word) and labels (label=key=value, unlabel=key)",
    wait: "wait until the agent (SLEEPING, COMPLETED …) or its conversation (idle, waiting_approval …) is in one of the states; exit code 1 if it ends in another state or the time is over",
    try: "run one turn as an agent of a role has it, with its runtime, instructions, tools and limits, against a scripted model: needs no key and no running Flotilla, and says how many tokens that takes and what they would cost",
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
    limit: { ...LIMIT, says: "(list) show at most this many", of: ["list"] },
    reason: {
      type: "string",
      value: "text",
      says: "(pause, resume, kill, retry, revive) why; an agent that continues or starts reads it",
      of: ["pause", "resume", "kill", "retry", "revive"],
    },
    rounds: {
      type: "string",
      value: "number",
      says: "(resume) after a review deadlock: how many more rounds of review; the default is `review.max_cycles`",
      of: ["resume"],
    },
    for: {
      type: "string",
      value: "states",
      says: "(wait) the states, comma-separated",
      of: ["wait"],
    },
    timeout: {
      type: "string",
      value: "duration",
      says: "(wait) how long to wait; the default is 10m",
      of: ["wait"],
    },
  },
  examples: [
    "flotilla agents list --state waiting_approval --label team=core",
    'flotilla agents send acme/shop:feat-dev-issue-42 "Use the old port."',
    "flotilla agents set acme/shop:feat-dev-issue-42 ttl=8h label=team=core",
    "flotilla agents wait acme/shop:feat-dev-issue-42 --for COMPLETED --timeout 2h",
    "flotilla agents try feat-dev",
  ],
  async run(context) {
    const [verb = "list"] = context.args;
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run !== undefined) return run(context);
    return unknownVerb(context, "agents", verb, Object.keys(verbs));
  },
};

/** Rows per read. */
const PAGE = 1000;

/**
 * Implements `flotilla agents transcript <agent>`: prints everything on record about the agent, the oldest
 * first.
 */
async function showTranscript(context: CommandContext): Promise<number> {
  const { args, options, print } = context;
  const [, key, ...more] = args;
  if (key === undefined || more.length > 0) {
    return refused(
      context,
      "Run `flotilla agents transcript <agent>`.",
      "`flotilla agents list` shows their names.",
    );
  }
  const json = options["json"] === true;
  const fault = await reading(context, async (store) => {
    const agent = await findAgent(store, key);
    if (agent === undefined) return faultOfUnknown(store, key);
    const repository = await store.repositories.get(agent.repositoryId);
    let begun: readonly RunEventRow[] = [];
    for (let last = 0; ; ) {
      const page = await store.runEvents.after(last, { limit: PAGE, agentId: agent.id });
      const isLast = page.length < PAGE;
      const rows = [...begun, ...page];
      // Streamed pieces of a text form one line, so a page that ends within them keeps them for the next
      // page.
      const whole = isLast
        ? rows.length
        : rows.findLastIndex(({ event }) => event.type !== "stream:token") + 1;
      if (json) for (const row of page) print(JSON.stringify(runEventJson(row, agent, repository)));
      else for (const line of transcript(rows.slice(0, whole))) print(line);
      begun = rows.slice(whole);
      last = page.at(-1)?.id ?? last;
      if (isLast || (context.drained !== undefined && !(await context.drained()))) return null;
    }
  });
  return fault === null ? 0 : refusedBy(context, fault);
}
