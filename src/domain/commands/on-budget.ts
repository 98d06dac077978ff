import { wake } from "../agents/agent-changes.ts";
import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import { dollars } from "../breakers/money.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import type { DomainEventOf } from "../events/domain-event.ts";
import {
  type ChangeSet,
  decisionOnly,
  type IssueState,
  mergeChanges,
  NO_CHANGES,
} from "../kernel/change-set.ts";
import { type Amount, amountFault, inUnit, UNIT_WORDS } from "./budget-words.ts";
import { answer } from "./command-answer.ts";
import { overCeiling } from "./extension-of.ts";
import { raiseOf, readRaise } from "./raise-of.ts";

type Commented = DomainEventOf<"commented">;

/**
 * Handles `/flotilla budget +N`: raises the limit that stopped the issue's agents, and lets them continue. `+N today`
 * raises the repository's limits for this day, as does any amount where agents wait for that day.
 */
export function onBudget(event: Commented, view: IssueState, rest: string): ChangeSet {
  const today = / ?\b(?:for )?today$/.exec(rest);
  const given = rest.slice(0, today?.index ?? rest.length);
  const amounts = readRaise(given);
  if ("fault" in amounts)
    return refused(event, amounts.fault.rule, amounts.fault.reason, amounts.fault.advice);
  const stopped = view.agents.filter(isLive).filter(isStopped);
  const waits = stopped.length === 0 && view.daySpent.length > 0 && view.agents.some(isLive);
  if (today !== null || waits) return raiseDay(event, view, amounts);
  if (stopped.length === 0)
    return refused(
      event,
      "nothing_stopped",
      "no agent of this issue is stopped by a limit",
      "There is nothing to raise. `/flotilla status` shows what the agents wait for.",
    );
  return mergeChanges(...stopped.map((agent) => raise(event, agent, { amounts, view })));
}

function isStopped(agent: AgentRecord): boolean {
  return agent.state === "ESCALATED" || (agent.state === "SLEEPING" && agent.sleepReason === "approval");
}

/**
 * Raises the repository's limits for today. A number without a unit has that of the reached limit; dollars where none
 * is known.
 */
function raiseDay(event: Commented, view: IssueState, amounts: readonly Amount[]): ChangeSet {
  const usual =
    view.daySpent.includes("max_cost_usd") || view.daySpent.length === 0 ? "costMicroUsd" : "agents";
  const fault = amountFault(amounts, usual);
  if (fault !== null) return refused(event, "budget_unreadable", fault.reason, fault.advice);
  const sum = { costMicroUsd: 0, agents: 0 };
  for (const amount of amounts) {
    const unit = amount.unit ?? usual;
    if (unit !== "costMicroUsd" && unit !== "agents")
      return refused(
        event,
        "budget_unit",
        "a repository's day is limited in dollars and in agents started",
        `Say how many ${UNIT_WORDS.costMicroUsd} or ${UNIT_WORDS.agents}.`,
      );
    sum[unit] += inUnit(amount, unit);
  }
  const by = event.actor.login;
  const words = `@${by} adds ${dollars(sum.costMicroUsd)} and ${sum.agents} agents to the repository's budget for today`;
  return mergeChanges(decisionOnly("day_raised", words, { inputs: sum }), {
    ...NO_CHANGES,
    dayGrants: [{ by, ...sum }],
  });
}

/** Grants the amounts to the agent. */
function raise(
  event: Commented,
  agent: AgentRecord,
  { amounts, view }: { readonly amounts: readonly Amount[]; readonly view: IssueState },
): ChangeSet {
  const raised = raiseOf(agent, amounts, event.actor.login);
  if ("fault" in raised) return refused(event, raised.fault.rule, raised.fault.reason, raised.fault.advice);
  const said = `@${event.actor.login} raises the budget (${event.url}).`;
  const granted = { ...NO_CHANGES, wakes: [wake(event, agent, "approval", said, raised.grant)] };
  return overCeiling(raised.grant, view.settings) ?? granted;
}

function refused(event: Commented, rule: DecisionRule, reason: string, advice: string): ChangeSet {
  return mergeChanges(
    decisionOnly(rule, reason, { change: advice }),
    answer(event, `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}. ${advice}`),
  );
}
