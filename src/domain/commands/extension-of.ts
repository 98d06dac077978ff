import type { AgentRecord, Grant } from "../agents/agent-record.ts";
import { limitsFor } from "../breakers/limits.ts";
import { type ChangeSet, decisionOnly } from "../kernel/change-set.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { Settings } from "../settings/settings.ts";
import { DEADLOCK } from "../tasks/escalation.ts";
import { NO_GRANT, unitOf } from "./extension.ts";

/**
 * Returns more rounds of review for an agent in a deadlock, as many as `review.max_cycles` without a number; null for
 * other agents.
 */
export function roundsFor(agent: AgentRecord, given: number | null, by: string): Grant | null {
  return agent.state === "ESCALATED" && agent.category === DEADLOCK
    ? { ...NO_GRANT, by: [by], rounds: given ?? 0 }
    : null;
}

/** Returns a person's message to an agent; for one in a deadlock, with the rejection that did not wake it. */
export function withCause(agent: AgentRecord, said: string): string {
  return roundsFor(agent, null, "") === null ? said : `${said}\n\nYou were stopped because ${agent.reason}`;
}

/** Returns the number after a command that grants an amount. */
export function numberIn(rest: string): number | null {
  const given = /^[1-9]\d{0,3}$/.exec(rest.trim())?.[0];
  return given === undefined ? null : Number(given);
}

/** Splits the text after such a command into a number on its first line, if any, and a message to the agent. */
export function numberAndWords(rest: string): { readonly number: number | null; readonly words: string } {
  const first = firstLine(rest);
  const number = numberIn(first);
  return { number, words: number === null ? rest.trim() : rest.trim().slice(first.length).trim() };
}

const firstLine = (text: string): string => text.trim().replace(/\n.*$/s, "");

/** Text that begins with a number of any script, or with signs around one and the word for what it counts. */
const LIKE_NUMBER =
  /^[-+−$.]*\p{N}|^[\p{P}\p{S}\s]*\p{N}[\p{N}\p{P}\p{S}\s]*(?:(?:turn|call|wake|round)s?[\p{P}\s]*)?$/iu;

/** Refuses text that looks like a number but cannot be granted; null for a number, and for other text. */
export function numberFault(verb: "continue" | "resume", rest: string): ChangeSet | null {
  const first = firstLine(rest);
  if (numberIn(first) !== null || !LIKE_NUMBER.test(first)) return null;
  return decisionOnly(
    "number_unreadable",
    `${inlineCode(first, 60)} is no whole number from 1 to 9999 in plain digits`,
    {
      change: `say \`/flotilla ${verb} <number>\`, or \`/flotilla ${verb}\` alone for the usual number`,
    },
  );
}

/**
 * Returns the grant of `continue [n]`: n turns, by default the role's. After another limit, n in the unit of that limit
 * if it counts pieces. Null otherwise: the caller then raises the limit by half.
 */
export function grantFor(
  agent: AgentRecord,
  given: number | null,
  settings: Settings,
  by: string,
): Grant | null {
  const rounds = roundsFor(agent, given, by);
  if (rounds !== null) return rounds;
  const unit = agent.breaker === null ? "turns" : unitOf(agent.breaker);
  if (unit === "turns") {
    const role = settings.roles.get(agent.role);
    const limits = role === undefined ? settings.limits.defaults : limitsFor(settings, role);
    return { ...NO_GRANT, by: [by], turns: given ?? limits.maxTurns };
  }
  if (given === null || (unit !== "toolCalls" && unit !== "wakes")) return null;
  return { ...NO_GRANT, by: [by], [unit]: given };
}

/** Refuses a grant of more turns than `turn_ceiling`; null when it is allowed. */
export function overCeiling(grant: Grant | null, { limits }: Pick<Settings, "limits">): ChangeSet | null {
  const { turnCeiling } = limits;
  if (grant === null || grant.turns <= turnCeiling) return null;
  return decisionOnly(
    "turn_ceiling",
    `${grant.turns} turns at once are more than circuit_breakers.turn_ceiling, which is ${turnCeiling}`,
    { change: `grant up to ${turnCeiling} turns, and more when those are used` },
  );
}
