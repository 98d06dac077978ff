import { z } from "zod";
import { agentKey, type FlotillaTool, path, tool } from "./tool.ts";

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
  ["continue", "Grant an agent that waits at a limit its role's amount again."],
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
