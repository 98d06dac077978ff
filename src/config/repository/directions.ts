import type { Limits } from "../../domain/breakers/limits.ts";
import { printDuration } from "../../domain/settings/duration.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { LIMIT_KEYS } from "../limit-keys.ts";

/**
 * Which way a repository's file may move a key: `lower` or `raise` a number, `switch_on` or `switch_off`, `add` to a
 * list, or `replace` it.
 */
type Direction = "lower" | "raise" | "switch_on" | "switch_off" | "add" | "replace";

/** What the operator has set for a key; undefined = no limit. */
type Value = number | boolean | string | readonly string[] | undefined;

export interface DirectedKey {
  /** As in the file. `*` stands for any of the names there. */
  readonly path: readonly string[];
  readonly may: Direction;
  /** In milliseconds. */
  readonly isDuration: boolean;
  readonly operators: (settings: Settings) => Value;
}

function key(
  path: string,
  may: Direction,
  operators: DirectedKey["operators"],
  unit: "duration" | "plain" = "plain",
): DirectedKey {
  return { path: path.split("."), may, operators, isDuration: unit === "duration" };
}

/** Every key of the file but those of roles and of the limits of agents. docs/repository-file.md shows it as a table. */
export const DIRECTIONS: readonly DirectedKey[] = [
  key("branches", "replace", ({ branches }) => branches),
  key("evidence.commands", "replace", ({ evidence }) => evidence.commands),
  key("evidence.max_bounces", "lower", ({ evidence }) => evidence.maxBounces),
  key("evidence.timeout", "lower", ({ evidence }) => evidence.timeoutMs, "duration"),
  key("evidence.required_checks", "add", ({ evidence }) => evidence.requiredChecks),
  key("evidence.evaluator_threshold", "raise", ({ evidence }) => evidence.evaluatorThreshold),
  key("review.required", "switch_on", ({ review }) => review.required),
  key("review.reviewers", "raise", ({ review }) => review.reviewers),
  key("review.max_cycles", "lower", ({ review }) => review.maxCycles),
  key("review.lease", "lower", ({ review }) => review.leaseMs, "duration"),
  key("merge.auto", "switch_off", ({ merge }) => merge.auto),
  key("merge.method", "replace", ({ merge }) => merge.method),
  key(
    "circuit_breakers.repository_per_day.max_cost_usd",
    "lower",
    ({ repositoryPerDay }) => repositoryPerDay.maxCostUsd,
  ),
  key(
    "circuit_breakers.repository_per_day.max_agents",
    "lower",
    ({ repositoryPerDay }) => repositoryPerDay.maxAgents,
  ),
  key(
    "circuit_breakers.storm.max_starts_per_issue_per_hour",
    "lower",
    ({ storm }) => storm.maxStartsPerIssuePerHour,
  ),
  key("circuit_breakers.storm.max_depth", "lower", ({ storm }) => storm.maxDepth),
  key("circuit_breakers.storm.max_fan_out", "lower", ({ storm }) => storm.maxFanOut),
  key(
    "circuit_breakers.progress.turns_without_change",
    "lower",
    ({ progress }) => progress.turnsWithoutChange,
  ),
];

/** The limits of agents at a path, each lowered only. */
export function limitDirections(
  path: readonly string[],
  limits: (settings: Settings) => Limits,
): DirectedKey[] {
  return LIMIT_KEYS.map(([written, name]) => ({
    path: [...path, written],
    may: "lower",
    isDuration: name.endsWith("Ms"),
    operators: (settings) => limits(settings)[name],
  }));
}

/** What is wrong with a value that stands in the file; undefined when it goes the way that it may. */
export function directionFault(
  { may, isDuration, operators }: DirectedKey,
  value: unknown,
  settings: Settings,
): string | undefined {
  const theirs = operators(settings);
  if (may === "lower" && typeof theirs === "number") {
    const shown = isDuration ? printDuration(theirs) : String(theirs);
    if (value === undefined) return `the operator's limit is ${shown}; a repository only lowers it.`;
    if (Number(value) > theirs) return `is more than the operator's ${shown}; a repository only lowers it.`;
  }
  if (may === "raise" && Number(value) < Number(theirs))
    return `is less than the operator's ${String(theirs)}; a repository only raises it.`;
  if (may === "switch_on" && theirs === true && value === false)
    return "the operator has switched it on, and a repository does not switch it off.";
  if (may === "switch_off" && theirs === false && value === true)
    return "the operator has switched it off, and a repository does not switch it on.";
  if (
    Array.isArray(theirs) &&
    may === "replace" &&
    theirs.length > 0 &&
    Array.isArray(value) &&
    value.length === 0
  )
    return "is empty, and the operator has some; write at least one, or leave the key out.";
  return undefined;
}
