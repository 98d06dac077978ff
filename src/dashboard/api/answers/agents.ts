import { z } from "zod";
import { AGENT_STATES, SLEEP_REASONS } from "../../../domain/agents/agent-record.ts";
import { RUN_STATES } from "../../../domain/agents/run.ts";
import {
  agentKey,
  count,
  hold,
  issue,
  page,
  pause,
  repository,
  text,
  time,
  timeOrNull,
  usd,
} from "./fields.ts";

export const attributes = {
  ttl_seconds: count().nullable(),
  ends_at: timeOrNull().describe("When its time to live ends."),
  labels: z.record(z.string(), z.string()),
  tags: z.array(text()),
};

export const agent = z.strictObject({
  key: agentKey(),
  repository: repository(),
  role: text(),
  issue: issue(),
  attempt: count(),
  state: z.enum(AGENT_STATES).describe("docs/lifecycles.md explains each."),
  phase: z.enum(RUN_STATES).nullable().describe("The state of its run."),
  phase_since: timeOrNull(),
  now: text().describe("What it does, what it waits for, or how it ended."),
  next: text().describe("What a person can do."),
  branch: text().nullable(),
  pr: count().nullable(),
  sleep_reason: z.enum(SLEEP_REASONS).nullable(),
  blocked_by: z.array(issue()).describe("Issues of its repository that it waits for."),
  blocked_elsewhere: z.array(text()).describe("Issues of other repositories, owner/name#number."),
  held_by: z.array(text()),
  holds: z.array(hold).describe("What holds it at the moment, with what ends each hold."),
  reason: text().nullable(),
  breaker: text().nullable().describe("The limit that stopped it last."),
  session: text().nullable().describe("Its conversation."),
  parent: agentKey().nullable(),
  mode: z.enum(["continuous", "one_shot"]),
  runtime: text().nullable(),
  runtime_version: text().nullable(),
  node: text().nullable().describe("The machine on which it is."),
  model: text().nullable(),
  tools: z
    .array(text())
    .nullable()
    .describe("The tools that its start left it, besides those that every attempt keeps; null: all."),
  temperature: z.number().nullable(),
  ...attributes,
  turns: count(),
  tool_calls: count(),
  tokens: count(),
  wakes: count(),
  created_at: time(),
  active_since: timeOrNull(),
  sleeping_since: timeOrNull(),
  last_activity_at: timeOrNull(),
});

export const agentView = z.strictObject({
  ...agent.shape,
  title: text().nullable().describe("Title of its issue."),
  headline: text().describe("The state in a few plain words."),
  issue_url: text(),
  pull_url: text().nullable(),
  since: time().describe("When it entered its state."),
  acts: z.array(text()).describe("What a person may have it do now."),
  plan: text().nullable(),
  tool: z
    .strictObject({ name: text(), status: text(), input: text(), since: time() })
    .nullable()
    .describe("The call that waits or runs."),
  cost_usd: usd(),
  active_seconds: count(),
  allowed: z
    .strictObject({
      turns: count(),
      tool_calls: count(),
      tokens: count(),
      cost_usd: usd().nullable(),
    })
    .describe("Its limits."),
  ended_at: timeOrNull(),
});

export const waitingItem = z.strictObject({
  kind: text().describe(
    "What it is: escalation, question, approval, plan, limit, turns, review, merge, rejected, blocked, deadlock, unmerged, pause or error.",
  ),
  since: time(),
  repository: repository(),
  issue: issue(),
  title: text().nullable(),
  agent: agentView.nullable().describe("Null if no agent works on it."),
  what: text().describe("The reason, the question or the call."),
  next: text().describe("What a person can do."),
  url: text().describe("Where to look on GitHub."),
  coder: agentKey()
    .optional()
    .describe("Where no agent works on it: who did last. `acts` are about that one."),
  acts: z.array(text()).describe("What a person may have done about it."),
  rounds: z.literal(true).optional().describe("Resume takes a number of rounds of review."),
  approval: z
    .strictObject({
      id: count(),
      tool: text(),
      input: text(),
      undo: z.boolean().describe("An approval can be taken back until the call is made."),
    })
    .nullable()
    .describe("The call to approve or deny, by its id."),
  question: z
    .strictObject({
      id: count(),
      options: z.array(
        z.strictObject({
          name: text(),
          recommended: z.boolean(),
          destructive: z.boolean().describe("What follows cannot be undone."),
        }),
      ),
    })
    .optional()
    .describe("The question to answer, by its id; any other text is an answer as well."),
  raise: z
    .strictObject({
      what: text().describe("turns, tool calls, wake-ups, tokens, dollars or minutes."),
      usual: z.number().nullable().describe("What is granted without an amount; null where it depends."),
      required: z.boolean().describe("Only an amount lets the agent continue."),
    })
    .optional()
    .describe("The limit that a continue raises."),
  start: z
    .strictObject({ role: text() })
    .optional()
    .describe("The role that can take up the work where no agent does."),
  merge: z
    .strictObject({ pull: count(), here: z.boolean().describe("Flotilla may merge it for you.") })
    .optional()
    .describe("The pull request to merge."),
});

export const agentsAnswer = page({
  agents: z.array(agent),
  paused: z.array(pause).describe("What is paused as a whole."),
});
export const agentViewsAnswer = page({ agents: z.array(agentView) });
export const agentSearchAnswer = page({
  agents: z.array(agentView),
  repositories: z.array(repository()).describe("All that you may read."),
  roles: z.array(text()).describe("The roles of this Flotilla."),
  none: z
    .strictObject({
      issue_without_agent: issue()
        .nullable()
        .describe("The issue that was looked for, if no agent has been on it."),
      hidden_by_filter: z
        .boolean()
        .describe("Whether agents match without the choice of states, role and repository."),
    })
    .nullable()
    .describe("Why the first page is empty; null where it is not, and on later pages."),
});
export const waitingAnswer = page({ waiting: z.array(waitingItem) });
export const agentAnswer = z.strictObject({ agent });

const otherAgent = z.strictObject({
  key: agentKey(),
  role: text(),
  attempt: count(),
  state: z.enum(AGENT_STATES),
  headline: text(),
  cost_usd: usd(),
  created_at: time(),
});
export const agentViewAnswer = z.strictObject({
  agent: agentView,
  waiting: z.array(waitingItem).describe("What it waits for from people."),
  others: z.array(otherAgent).describe("The other agents of its issue, at most 20, the latest."),
});

export const diffAnswer = z.strictObject({
  diff: z.union([
    z.strictObject({ files: z.array(text()), patch: text(), cut: z.boolean() }),
    z.strictObject({ why: text().describe("Why it cannot be shown.") }),
  ]),
});
