import { z } from "zod";
import { agentKey, type FlotillaTool, path, tool } from "./tool.ts";

const text = z.string().min(1).max(20_000);
const fullName = z.string().max(300).describe("owner/name.");
const reason = z.string().max(500).default("").describe("Why; Flotilla records it.");

/** Acts on an agent that take a reason and nothing else. */
const AGENT_ACTS = [
  ["pause", "Hold an agent until a person resumes it."],
  ["cancel", "End an agent. Its branch and its pull request stay."],
  [
    "retry",
    "Retry an agent after an error at once; for any other, start a new attempt. It reads the reason.",
  ],
  ["revive", "Start a new attempt after an agent has ended. It reads the reason."],
  ["complete", "Have an agent's work count as done as it is."],
] as const;

/** Tools that act in a person's name. */
export const ACTS: readonly FlotillaTool[] = [
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
  tool(
    z.object({
      agent: agentKey,
      amount: z
        .string()
        .max(100)
        .optional()
        .describe("How much more it may use, such as +20, +$5 or 30 min; left out: its role's amount again."),
      reason: reason.describe("The agent reads it."),
    }),
    {
      name: "continue_agent",
      description: "Let an agent that waits at a limit continue.",
      acts: true,
      request: ({ agent, amount, reason: why }, id) => ({
        method: "POST",
        path: path(["agents", agent, "continue"]),
        body: { id, reason: why, ...(amount === undefined ? {} : { amount }) },
      }),
    },
  ),
  tool(z.object({ agent: agentKey, text }), {
    name: "send_message",
    description: "Write to an agent: one that sleeps wakes, one that works reads it with its next step.",
    acts: true,
    request: ({ agent, text: words }, id) => ({
      method: "POST",
      path: path(["agents", agent, "send"]),
      body: { id, text: words },
    }),
  }),
  tool(
    z.object({
      question: z.int().min(1).describe("The id of the question, from `question` of list_waiting."),
      answer: text.describe("The name or the number of an option, or an answer in other words."),
    }),
    {
      name: "answer",
      description: "Answer a question of an agent. Ask your person first: the answer counts as theirs.",
      acts: true,
      request: ({ question, answer: words }, id) => ({
        method: "POST",
        path: path(["questions", question, "answer"]),
        body: { id, text: words },
      }),
    },
  ),
  tool(
    z.object({
      repository: fullName,
      issue: z.int().min(1).optional().describe("The number of an issue that is there."),
      title: z.string().max(256).optional().describe("In place of it: the title of an issue to open."),
      text: text.optional().describe("The text of the issue to open."),
      role: z.string().max(100).optional().describe("Left out: the role that the issue's labels name."),
      words: text.optional().describe("What the agent reads besides the issue."),
    }),
    {
      name: "start_work",
      description: "Start an agent on an issue, or open an issue and start one on it.",
      acts: true,
      request: ({ repository, ...wish }, id) => ({
        method: "POST",
        path: path(["repositories", repository, "start"]),
        body: { id, ...wish },
      }),
    },
  ),
  tool(z.object({ repository: fullName, issue: z.int().min(1).describe("The issue of the work.") }), {
    name: "merge",
    description: "Merge the approved work of an issue, where Flotilla may merge.",
    acts: true,
    request: ({ repository, issue }, id) => ({
      method: "POST",
      path: path(["repositories", repository, "merge"]),
      body: { id, issue },
    }),
  }),
  tool(z.object({ approval: z.int().min(1).describe("The id of the call.") }), {
    name: "take_back_approval",
    description: "Take an approval back, as long as the agent has not made the call.",
    acts: true,
    request: ({ approval }, id) => ({
      method: "POST",
      path: path(["approvals", approval, "undo"]),
      body: { id },
    }),
  }),
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
    tool(z.object({ repository: fullName, reason }), {
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
