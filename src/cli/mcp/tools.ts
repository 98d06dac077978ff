import { z } from "zod";
import type { ApiRequest } from "./api-client.ts";

/** A tool for a person's own agent: one request to the API, whose rules hold. */
export interface FlotillaTool {
  readonly name: string;
  readonly description: string;
  /** Changes something. */
  readonly acts: boolean;
  readonly input: z.ZodObject;
  /** `id` is unique, and names the request. */
  readonly request: (given: unknown, id: string) => ApiRequest;
  /** Picks what of the answer a model is shown. */
  readonly shown?: (body: unknown) => unknown;
}

/** Of one answer: more would fill a model's memory. */
export const MOST_CHARACTERS = 60_000;

function tool<Input extends z.ZodObject>(
  input: Input,
  {
    request,
    ...more
  }: Omit<FlotillaTool, "input" | "request" | "acts"> & {
    readonly acts?: true;
    readonly request: (given: z.output<Input>, id: string) => ApiRequest;
  },
): FlotillaTool {
  return { acts: false, ...more, input, request: (given, id) => request(input.parse(given), id) };
}

const agentKey = z.string().min(1).max(300).describe("The agent's key, such as acme/shop:feat-dev-issue-42.");
const limit = z.int().min(1).max(100).default(20).describe("Number of rows.");
const after = z.string().max(500).optional().describe("`next` of the previous page of the same list.");
const reason = z.string().max(500).default("").describe("Why; Flotilla records it.");

const path = (
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string => {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  const asked = new URLSearchParams(given).toString();
  return `/api/${parts.map((part) => encodeURIComponent(part)).join("/")}${asked === "" ? "" : `?${asked}`}`;
};

const overview = z.looseObject({
  counts: z.unknown(),
  cost_usd: z.unknown(),
  repositories: z.unknown(),
  paused: z.unknown(),
  dead: z.unknown(),
  budgets: z.unknown(),
  standstills: z.unknown(),
});

const READS: readonly FlotillaTool[] = [
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

/** Acts on an agent that take a reason and nothing else. */
const AGENT_ACTS = [
  ["pause", "Hold an agent until a person resumes it."],
  ["cancel", "End an agent. Its branch and its pull request stay."],
  ["retry", "Retry an agent after an error at once; for any other, start a new attempt."],
  ["revive", "Start a new attempt after an agent has ended."],
  ["continue", "Grant an agent that waits at a limit its role's amount again."],
  ["complete", "Have an agent's work count as done as it is."],
] as const;

const ACTS: readonly FlotillaTool[] = [
  ...AGENT_ACTS.map(([verb, description]) =>
    tool(z.object({ agent: agentKey, reason }), {
      name: `${verb}_agent`,
      description,
      acts: true,
      request: ({ agent, reason: why }, id) => ({
        method: "POST",
        path: path(["agents", agent, verb]),
        body: { id, reason: why },
      }),
    }),
  ),
  tool(
    z.object({
      agent: agentKey,
      rounds: z.int().min(1).max(9999).optional().describe("After a deadlock: rounds of review."),
      reason,
    }),
    {
      name: "resume_agent",
      description: "Let an agent continue that a person paused, or that called people.",
      acts: true,
      request: ({ agent, rounds, reason: why }, id) => ({
        method: "POST",
        path: path(["agents", agent, "resume"]),
        body: { id, reason: why, ...(rounds === undefined ? {} : { rounds }) },
      }),
    },
  ),
  ...(["approve", "deny"] as const).map((verdict) =>
    tool(
      z.object({
        approval: z.int().min(1).describe("The id of the call, from `approval` of list_waiting."),
        reason: reason.describe(
          verdict === "approve" ? "Why; Flotilla records it." : "Why not; the agent reads it.",
        ),
      }),
      {
        name: verdict,
        description:
          verdict === "approve"
            ? "Let a call that an agent asked about happen, once. Ask your person first: the call may do harm."
            : "Refuse a call that an agent asked about.",
        acts: true,
        request: ({ approval, reason: why }, id) => ({
          method: "POST",
          path: path(["approvals", approval, verdict]),
          body: { id, reason: why },
        }),
      },
    ),
  ),
  ...(["pause", "resume"] as const).map((what) =>
    tool(z.object({ repository: z.string().max(300).describe("owner/name."), reason }), {
      name: `${what}_repository`,
      description:
        what === "pause" ? "Stop every agent of a repository, at once." : "End the pause of a repository.",
      acts: true,
      request: ({ repository, reason: why }, id) => ({
        method: "POST",
        path: path([what]),
        body: { id, reason: why, scope: repository },
      }),
    }),
  ),
];

/** The tools, in the order in which they are listed. */
export function toolsFor({ readOnly }: { readonly readOnly: boolean }): readonly FlotillaTool[] {
  return readOnly ? READS : [...READS, ...ACTS];
}
