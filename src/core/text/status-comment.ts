import type { AgentRecord } from "../machines/agent-record.ts";
import type { RunRecord } from "../machines/run.ts";
import type { TaskRecord } from "../machines/task.ts";
import type { DecisionRow } from "../rows.ts";
import { duration } from "./messages.ts";

export interface StatusFacts {
  readonly now: number;
  readonly agents: readonly { readonly agent: AgentRecord; readonly run: RunRecord | null }[];
  readonly task: TaskRecord | null;
  /** The newest first. */
  readonly decisions: readonly DecisionRow[];
}

/** The one comment of an issue that is edited in place: who works, what it waits for, what comes next. */
export function statusComment(facts: StatusFacts): string {
  const newest = facts.agents.toSorted((left, right) => right.agent.id - left.agent.id);
  const rows = newest.map(({ agent, run }) => {
    const pull = agent.prNumber === null ? "" : `#${agent.prNumber}`;
    return `| ${agent.role}${agent.attempt > 1 ? ` (attempt ${agent.attempt})` : ""} | **${agent.state}** | ${says(agent, run, facts.now)} | ${pull} |`;
  });
  const table =
    rows.length === 0
      ? ["No agent works on this issue."]
      : ["| role | state | now | pull request |", "|---|---|---|---|", ...rows];
  const decision = facts.decisions.find((one) => one.change !== null);
  const last = decision === undefined ? [] : ["", `Last decision: ${decision.reason} — ${decision.change}.`];
  const task = facts.task === null ? [] : ["", `Task: ${facts.task.state}`];
  return ["### Flotilla", "", ...table, ...task, ...last, "", footer].join("\n");
}

const footer = "<sub>`/flotilla status` · `pause` · `resume` · `cancel` · `retry` · `start [role]`</sub>";

function says(agent: AgentRecord, run: RunRecord | null, now: number): string {
  const held = heldBy(agent);
  switch (agent.state) {
    case "CREATED":
      return `waits to start${held}`;
    case "ACTIVE":
      return `${run?.state ?? "starting"} · ${agent.turns} turns, ${agent.toolCalls} tool calls`;
    case "SLEEPING":
      return `${waitsFor(agent)}${since(agent.sleepingSince, now)}${held}`;
    case "ESCALATED":
      return `needs a person: ${oneLine(agent.reason)}${since(agent.sleepingSince, now)}`;
    case "COMPLETED":
    case "FAILED":
    case "CANCELLED":
      return oneLine(agent.reason);
  }
}

/** Who holds it and why; a pause leaves its reason in the record. */
function heldBy({ heldBy: holders, reason }: AgentRecord): string {
  if (holders.length === 0) return "";
  return ` (held by ${holders.join(", ")}${reason === null ? "" : `: ${oneLine(reason)}`})`;
}

function waitsFor(agent: AgentRecord): string {
  switch (agent.sleepReason) {
    case "blocked":
      return `waits for ${agent.blockedBy.map((issue) => `#${issue}`).join(", ")}`;
    case "review":
      return "waits for a review";
    case "question":
      return "waits for an answer";
    case "approval":
      return `waits for a person's word (${agent.breaker ?? "approval"})`;
    case "checks":
      return "waits for checks";
    case "provider_limit":
      return "waits for the model";
    case "retry":
      return "waits to try again";
    case "restart":
      return "waits for the host to come back";
    case "time":
      return "waits for its time";
    case "paused":
    case null:
      // A hold of its own says why after this; a paused scope has only the reason.
      return agent.heldBy.length > 0 || agent.reason === null ? "paused" : `paused: ${oneLine(agent.reason)}`;
  }
}

function since(at: number | null, now: number): string {
  return at === null ? "" : `, for ${duration(now - at)}`;
}

/** Text of others in a table cell: one line, no bars, not endless. */
function oneLine(text: string | null): string {
  const flat = (text ?? "").replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
  return flat.length > 200 ? `${flat.slice(0, 199)}…` : flat;
}
