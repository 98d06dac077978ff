import type { AgentRecord, Grant } from "../agents/agent-record.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import { inlineCode } from "../messages/inline-code.ts";
import {
  type Amount,
  amountFault,
  type BudgetUnit,
  commaFault,
  grantOf,
  readAmounts,
  UNIT_WORDS,
} from "./budget-words.ts";
import { unitOf } from "./extension.ts";

/** Why an amount is not granted, and what to write instead. */
interface RaiseFault {
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly advice: string;
}

/** Reads the amounts that a person writes, such as `+$5` or `30 min`; their sum is checked by `raiseOf`. */
export function readRaise(given: string): readonly Amount[] | { readonly fault: RaiseFault } {
  const written = given.trim();
  return (
    readAmounts(given) ?? {
      fault: {
        rule: "budget_unreadable",
        reason: `${inlineCode(written === "" ? "budget" : written, 60)} is no amount`,
        advice:
          commaFault(given) ??
          `Say how much: ${Object.values(UNIT_WORDS).join(", ")}. Without a unit the limit that stopped the agent is meant.`,
      },
    }
  );
}

/**
 * Returns the grant that raises the limit that stopped the agent. One that leaves that limit unchanged is refused: the
 * limit would stop the agent again.
 */
export function raiseOf(
  agent: Pick<AgentRecord, "name" | "breaker">,
  amounts: readonly Amount[],
  by: string,
): { readonly grant: Grant } | { readonly fault: RaiseFault } {
  const unit = unitOf(agent.breaker);
  const raises = (one: BudgetUnit | null): boolean =>
    unit === null ? one !== null && one !== "agents" : (one ?? unit) === unit;
  if (!amounts.some((amount) => raises(amount.unit)))
    return {
      fault: {
        rule: "budget_unit",
        reason:
          unit === null
            ? `${agent.name} was not stopped by a limit that can be raised`
            : `${agent.name} was stopped by ${agent.breaker}, and this raises something else`,
        advice:
          unit === null
            ? "`/flotilla resume` or an answer lets it continue. To raise a limit beforehand, name its unit."
            : `Say how many ${UNIT_WORDS[unit]}.`,
      },
    };
  const fault = amountFault(amounts, unit);
  if (fault !== null) return { fault: { rule: "budget_unreadable", ...fault } };
  return { grant: grantOf(amounts, unit, by) };
}
