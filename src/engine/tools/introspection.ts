import { z } from "zod";
import { LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { reportedText } from "../../domain/blockers/blockers.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { usedWords } from "../../domain/breakers/limit-warning.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { readable } from "../kernel/readable.ts";
import { defineTool, toolSuccess } from "./define-tool.ts";

export const checkForEvents = defineTool({
  name: "check_for_events",
  description:
    "Check whether something has arrived for you while you were working: a message, a review, a closed issue. Each is shown once. Call it before you finish long work.",
  purpose: "show what has happened since the run began",
  schema: z.strictObject({}),
  kind: "read",
  terminal: false,
  sanitize: {},
  run: async (_args, { inbox }) => toolSuccess((await inbox.news()) ?? "Nothing new."),
});

export const listFleet = defineTool({
  name: "list_fleet",
  description:
    "List the agents that are at work in this repository, with their issue, role and state. Use it to see whether another agent works on what you need.",
  purpose: "show which other agents work",
  schema: z.strictObject({}),
  kind: "read",
  terminal: false,
  sanitize: {},
  run: async (_args, { context, agent }) => {
    const { repositoryId } = agent;
    const live = await readable(context.store, "agent", { repositoryId, state: LIVE_AGENT_STATES });
    const lines = live.map((one) => {
      const reported = reportedText(one);
      const waits = reported.length === 0 ? "" : `, waits for ${reported.join(", ")}`;
      return `${one.name}: issue #${one.issue}, ${one.state}${waits}${one.id === agent.id ? " (you)" : ""}`;
    });
    return toolSuccess(lines.join("\n"));
  },
});

export const getMyStatus = defineTool({
  name: "get_my_status",
  description: "Show your state, branch, pull request, limits and how much of them you have used.",
  purpose: "show the agent's own state, its limits and how much of them it has used",
  schema: z.strictObject({}),
  kind: "read",
  terminal: false,
  sanitize: {},
  run: async (_args, { context, role, agent: began }) => {
    const agent = (await context.store.records.get("agent", began.id)) ?? began;
    const allowed = allowanceOf(limitsFor(context.settingsOf(agent.repositoryId), role), agent);
    const active =
      agent.activeMs + (agent.activeSince === null ? 0 : context.clock.now() - agent.activeSince);
    return toolSuccess(
      [
        `agent ${agent.name}, issue #${agent.issue}, attempt ${agent.attempt}, ${agent.state}`,
        `branch ${agent.branch ?? "none"}, pull request ${agent.prNumber === null ? "none" : `#${agent.prNumber}`}`,
        usedWords({ ...agent, activeMs: active }, allowed),
        `active ${Math.round(active / 1000)} s of ${Math.round(allowed.activeMs / 1000)} s`,
        `wakes ${agent.wakes} of ${allowed.wakes}`,
      ].join("\n"),
    );
  },
});
