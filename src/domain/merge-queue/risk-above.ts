import type { TaskRecord } from "../tasks/task-record.ts";
import { type LimitedRisk, MOST_RISK, type Risk } from "./risk.ts";

/** Reasons that people read at first. */
const MAIN_REASONS = 3;

/** The risk of approved work that is above `merge.max_risk`. */
export type RiskAbove = NonNullable<TaskRecord["riskAbove"]>;

/** Returns the risk for which a person merges the commit under review; null where none keeps Flotilla from merging it. */
export function riskAboveOf({
  state,
  riskAbove,
  reviewCommit,
}: Pick<TaskRecord, "state" | "riskAbove" | "reviewCommit">): RiskAbove | null {
  return state === "APPROVED" && riskAbove !== null && riskAbove.commit === reviewCommit ? riskAbove : null;
}

/** Returns the score with its main reasons, without a verb: `55 of 100 (it changes dependencies, in `package.json`)`. */
export function riskWords({ score, reasons }: Risk): string {
  const main = reasons.slice(0, MAIN_REASONS);
  return `${score} of ${MOST_RISK} (${main.length === 0 ? "it is small and changes only texts" : main.join("; ")})`;
}

/** Returns why a person merges, as the rest of a sentence about the work. */
export function riskAboveWords(risk: LimitedRisk): string {
  return `its risk is ${riskWords(risk)}, and above ${risk.most} a person merges`;
}

/** Returns what the check of the commit says about it: all reasons. */
export function riskInCheck({ score, most, reasons }: RiskAbove): {
  readonly title: string;
  readonly summary: string;
} {
  return {
    title: `a person merges (risk ${score})`,
    summary: [
      `The risk of merging this commit is ${score} of ${MOST_RISK}. Above ${most} a person merges:`,
      "",
      ...reasons.map((reason) => `- ${reason}`),
    ].join("\n"),
  };
}
