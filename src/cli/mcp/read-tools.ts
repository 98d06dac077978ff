import { z } from "zod";
import { agentKey, type FlotillaTool, MOST_CHARACTERS, path, tool } from "./tool.ts";

const limit = z.int().min(1).max(100).default(20).describe("Number of rows.");
const after = z.string().max(500).optional().describe("`next` of the previous page of the same list.");

const overview = z.looseObject({
  counts: z.unknown(),
  cost_usd: z.unknown(),
  repositories: z.unknown(),
  paused: z.unknown(),
  dead: z.unknown(),
  budgets: z.unknown(),
  standstills: z.unknown(),
});

/** Tools that read. */
export const READS: readonly FlotillaTool[] = [
  tool(z.object({}), {
    name: "status",
    description:
      "How Flotilla is: numbers of agents and tasks by state, what waits for people, costs, pauses, failures, budgets nearly spent, and what no machine does.",
    request: () => ({ method: "GET", path: "/api/overview" }),
    shown: (body) => {
      const { counts, cost_usd, repositories, paused, dead, budgets, standstills } = overview.parse(body);
      return { counts, cost_usd, repositories, paused, failed: dead, budgets, standstills };
    },
  }),
  tool(z.object({}), {
    name: "who_am_i",
    description: "Whose token this is: everything is done in this person's name.",
    request: () => ({ method: "GET", path: "/api/me" }),
    shown: (body) => z.object({ viewer: z.unknown() }).parse(body),
  }),
  tool(z.object({ limit, after }), {
    name: "list_waiting",
    description:
      "What waits for people, oldest first: questions, calls to approve, limits, reviews, merges, escalations, errors. Each has what it is, what a person can do, and the agent's key.",
    request: (query) => ({ method: "GET", path: path(["waiting"], query) }),
  }),
  tool(
    z.object({
      limit,
      after,
      state: z.string().optional().describe("Such as ACTIVE, SLEEPING, ESCALATED, COMPLETED or FAILED."),
      role: z.string().optional(),
      tag: z.string().optional().describe("Tags, with commas between them."),
      label: z.string().optional().describe("key=value, with commas between several."),
      by: z.string().optional().describe("Login of who had it created."),
    }),
    {
      name: "list_agents",
      description: "Agents that match all that is asked for.",
      request: (query) => ({ method: "GET", path: path(["agents"], query) }),
    },
  ),
  tool(z.object({ agent: agentKey }), {
    name: "show_agent",
    description:
      "One agent: what it does or waits for, what a person can do, its plan, its limits, its pull request.",
    request: ({ agent }) => ({ method: "GET", path: path(["agents", agent, "view"]) }),
    shown: (body) => {
      const { agent, waiting } = z.object({ agent: z.unknown(), waiting: z.unknown() }).parse(body);
      return { agent, waiting };
    },
  }),
  tool(
    z.object({
      agent: agentKey,
      after: z.int().min(0).default(0).describe("`next` of the previous page, or 0 for the beginning."),
    }),
    {
      name: "read_transcript",
      description: "What an agent said, called and met, oldest first, a page of at most 1000 events.",
      request: ({ agent, after: from }) => ({
        method: "GET",
        path: path(["agents", agent, "transcript"], { after: from }),
      }),
      shown: firstEvents,
    },
  ),
  tool(z.object({ agent: agentKey }), {
    name: "read_evidence",
    description:
      "What Flotilla itself found out about an agent's work: commands that it ran with their output, checks, and reviewers' verdicts.",
    request: ({ agent }) => ({ method: "GET", path: path(["agents", agent, "evidence"]) }),
  }),
  tool(z.object({ agent: agentKey }), {
    name: "read_handoff",
    description:
      "What your person, or you, need to continue an agent's work on their own machine: the commands that fetch it, and a text that says how it stands.",
    request: ({ agent }) => ({ method: "GET", path: path(["agents", agent, "handoff"]) }),
  }),
  tool(z.object({ agent: agentKey }), {
    name: "read_diff",
    description: "What an agent's worktree has changed since its base.",
    request: ({ agent }) => ({ method: "GET", path: path(["agents", agent, "diff"]) }),
  }),
  tool(
    z.object({
      issue: z
        .string()
        .regex(/^[^#/]+\/[^#/]+#\d+$/)
        .describe("owner/name#number."),
      limit,
      after,
    }),
    {
      name: "why",
      description:
        "Why something was done or not done on an issue: the decisions, the latest first, each with what would change it.",
      request: (query) => ({ method: "GET", path: path(["decisions"], query) }),
    },
  ),
  tool(
    z.object({
      limit,
      after,
      state: z
        .string()
        .optional()
        .describe("Such as CLAIMED, READY_FOR_REVIEW, APPROVED, BLOCKED or MERGED."),
    }),
    {
      name: "list_tasks",
      description: "The work on issues, the latest first: its state, its next step and its agent.",
      request: (query) => ({ method: "GET", path: path(["tasks"], { ...query, order: "latest" }) }),
    },
  ),
  tool(z.object({ limit, after, state: z.enum(["open", "any"]).default("open") }), {
    name: "list_goals",
    description: "Goals and sprints: how far each is, what it cost, and what it accepts.",
    request: (query) => ({ method: "GET", path: path(["goals"], query) }),
  }),
];

const transcript = z.object({
  transcript: z.array(z.looseObject({ id: z.int() })),
  next: z.int().nullable(),
});

/** Returns as many events as fit, with the cursor of the next one. */
function firstEvents(body: unknown): unknown {
  const { transcript: events, next } = transcript.parse(body);
  let length = 0;
  const more = events.findIndex((event) => {
    length += JSON.stringify(event).length + 1;
    return length > MOST_CHARACTERS - 100;
  });
  if (more === -1) return { transcript: events, next };
  // A single event that does not fit is cut.
  const kept = events.slice(0, Math.max(more, 1));
  return { next: kept.at(-1)?.id ?? null, transcript: kept };
}
