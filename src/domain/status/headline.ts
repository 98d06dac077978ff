import { type AgentRecord, isLive, isOnPull } from "../agents/agent-record.ts";
import { decisionText } from "../kernel/decision-text.ts";
import type { DecisionRow } from "../kernel/rows.ts";
import { riskAboveWords } from "../merge-queue/risk-above.ts";
import { oneLine } from "../messages/format.ts";
import { NO_APPROVAL } from "../messages/no-approval.ts";
import { safeLine } from "../safe-text/inline.ts";
import { type Merging, nextOfWork, pullOf, workFactsOf } from "../tasks/next-of-work.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { workReason } from "../tasks/work-reason.ts";
import type { AgentStatus } from "./agent-status.ts";
import { isHeldByPeople } from "./needs-human.ts";

/** An agent of the issue, with what it does and what a person can do about it. */
interface AgentThere {
  readonly agent: AgentRecord;
  readonly status: AgentStatus;
}

/** What the first sentence of an issue's status comment is made of. */
export interface HeadlineFacts {
  /** The newest first. */
  readonly agents: readonly AgentThere[];
  /** The issue's newest task, which may have ended. */
  readonly task: TaskRecord | null;
  readonly merging: Merging | null;
  /** The newest decision that still holds. */
  readonly decision: DecisionRow | null;
  /** It is a person's pull request, not an issue. */
  readonly isPull?: boolean;
}

/** Returns one line: how the issue stands, in bold, and what its reader can do. */
export function headline(facts: HeadlineFacts): string {
  const asking = facts.agents.filter(({ agent }) => asksPeople(agent));
  const lead = asking.find(({ agent }) => agent.coder) ?? asking[0];
  if (lead !== undefined) return ofAgent(lead);
  return (
    ofWork(facts) ??
    ofPull(facts) ??
    ofLive(facts.agents) ??
    ofTask(facts) ??
    ofEnded(facts.agents) ??
    ofNobody(facts)
  );
}

function asksPeople(agent: AgentRecord): boolean {
  if (agent.state === "ESCALATED") return true;
  const waits = agent.sleepReason === "question" || agent.sleepReason === "approval";
  return agent.state === "SLEEPING" && (waits || isHeldByPeople(agent));
}

/** The work is finished, and a review or a merge is next; its coder only sleeps until then. */
function ofWork({ agents, task, merging }: HeadlineFacts): string | null {
  if (task === null) return null;
  const {
    pull,
    isReviewed,
    riskAbove = null,
  } = workFactsOf(
    task,
    agents.map(({ agent }) => agent),
  );
  const work = pullOf(pull);
  switch (task.state) {
    case "READY_FOR_REVIEW":
      return isReviewed
        ? line(`An agent reviews ${work}`, "You need to do nothing")
        : line(`Ready for review: ${work}`, "Review it, and merge it when you are happy");
    case "APPROVED":
      if (riskAbove !== null)
        return line(
          `Ready to merge: ${work} is approved`,
          `Read its diff, and merge it on GitHub if it is right: ${riskAboveWords(riskAbove)}`,
        );
      return merging === null
        ? line(`Ready to merge: ${work} is approved`, "Merge it on GitHub")
        : line(`${capital(work)} is approved`, todo(nextOfWork("APPROVED", { pull, isReviewed, merging })));
    case "MERGED":
      return line(pull === null ? "Done: the work is merged" : `Done: ${work} is merged`, null);
    default:
      return null;
  }
}

/** A person's pull request, once it was reviewed. */
function ofPull({ agents, decision }: HeadlineFacts): string | null {
  const [newest] = agents;
  if (newest === undefined || !isOnPull(newest.agent) || newest.agent.state !== "COMPLETED") return null;
  const { role, reason, coder } = newest.agent;
  if (coder)
    return line(
      `${role} is done with what was asked for here`,
      "Its comment says what it did. `/flotilla review` has the pull request reviewed; people approve and merge it",
    );
  const found = `${role} ${oneLine(reason ?? "is done")}`;
  return decision?.rule === "review_stale"
    ? line(`${found}, and newer commits were pushed since`, "Say `/flotilla review` for another review")
    : line(found, `${NO_APPROVAL} \`/flotilla review\` asks for another review`);
}

function ofLive(agents: readonly AgentThere[]): string | null {
  const live = agents.filter(({ agent }) => isLive(agent));
  const lead = live.find(({ agent }) => agent.coder) ?? live[0];
  return lead === undefined ? null : ofAgent(lead);
}

function ofAgent({ agent: { role }, status }: AgentThere): string {
  const now = oneLine(status.now);
  return line(`${role} ${/^(?:paused|not started)/.test(now) ? `is ${now}` : now}`, todo(status.next));
}

/** No agent lives, and the work is neither finished nor merged. */
function ofTask({ agents, task }: HeadlineFacts): string | null {
  if (task === null) return null;
  const around = workFactsOf(
    task,
    agents.map(({ agent }) => agent),
  );
  const next = nextOfWork(task.state, around);
  const reason = workReason(task);
  const why = reason === null ? "" : `: ${oneLine(reason)}`;
  return line(`No agent works on this issue${why}`, todo(next));
}

function ofEnded(agents: readonly AgentThere[]): string | null {
  const [newest] = agents;
  if (newest === undefined) return null;
  const { role, state } = newest.agent;
  const ended = state === "COMPLETED" ? "is done" : state === "FAILED" ? "has failed" : "was cancelled";
  return line(`${role} ${ended}: ${oneLine(newest.status.now)}`, todo(newest.status.next));
}

function ofNobody({ decision, isPull }: HeadlineFacts): string {
  const nobody = `No agent works on this ${isPull ? "pull request" : "issue"}`;
  if (decision === null)
    return line(
      nobody,
      isPull ? "`/flotilla review` has it reviewed" : "`/flotilla start <role>` starts one",
    );
  const { why, next } = decisionText(decision);
  return line(`${nobody}: ${oneLine(why)}`, todo(next));
}

function line(stands: string, next: string | null): string {
  const bold = `**${sentence(stands)}**`;
  return next === null ? bold : `${bold} ${sentence(safeLine(next))}`;
}

const sentence = (text: string) => (/[.?!…]$/.test(text) ? text : `${text}.`);

/** Says what comes next as a sentence without its stop; `nothing: why` says that the reader has nothing to do. */
function todo(next: string): string | null {
  const nothing = /^nothing(?:: (?<why>.*))?$/s.exec(next);
  if (nothing === null) return capital(next);
  const why = nothing.groups?.["why"];
  return why === undefined ? null : `You need to do nothing: ${why}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
