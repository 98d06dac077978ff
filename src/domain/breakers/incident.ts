import { z } from "zod";
import { backoff } from "../kernel/backoff.ts";
import { hash, normalised } from "../sessions/fingerprint.ts";
import { duration } from "../settings/duration.ts";
import { section, setting } from "../settings/keys.ts";
import { repositoryScope, type Scope } from "./scope.ts";

export const incidentLimits = section("incident", "When failures of several issues become one incident.", {
  issues: setting("issues", z.int().min(1), { description: "Issues that fail alike.", default: 3 }),
  withinMs: setting("within", duration(), { description: "Within this time.", default: "30m" }),
});

/** One failure of one agent, as its transition tells it. Times are milliseconds since the epoch. */
export interface Failure {
  readonly at: number;
  readonly repositoryId: number;
  readonly issue: number;
  readonly agentId: number;
  readonly text: string;
}

export const INCIDENT_STATES = ["open", "closed"] as const;

/** Failures of several issues that have one cause, while that lasts and after it. */
export interface IncidentRow {
  readonly id: number;
  readonly state: (typeof INCIDENT_STATES)[number];
  readonly scope: Scope;
  readonly fingerprint: string;
  /** The error as the first of them met it. */
  readonly text: string;
  /** Where its issue is opened: the repository and issue of the first failure. */
  readonly repositoryId: number;
  readonly firstIssue: number;
  /** The incident's own issue, null until GitHub has made it. */
  readonly issue: number | null;
  readonly openedAt: number;
  /** When the next probe may go out. */
  readonly probeAt: number;
  /** The one agent that may continue, to see whether it is over; null while none is out. */
  readonly probeAgentId: number | null;
  readonly probeSince: number | null;
  /** Probes that met the same failure. */
  readonly failedProbes: number;
  readonly closedAt: number | null;
}

/** Returns the same for two failures that differ only in whose they are, numbers, times and places. */
export function failureFingerprint(text: string): string {
  return hash(
    normalised(text)
      .replace(/(?<!\S)\S+-issue-\d\S*/g, "<agent>")
      .replace(/(?:\/[\w.@-]+){2,}/g, "<path>")
      .replace(/#?\d+/g, "<n>")
      .toLowerCase(),
  );
}

export type IncidentFound = Pick<
  IncidentRow,
  "scope" | "fingerprint" | "text" | "repositoryId" | "firstIssue"
> & { readonly failures: readonly Failure[] };

/**
 * The first failure that as many issues share as the setting says; null when none does. `failures` are those within the
 * setting's time, oldest first. `known` = incidents so far: what an open one has paused is not found again, and what
 * led to a closed one does not count any more.
 */
export function findIncident(
  failures: readonly Failure[],
  known: readonly IncidentRow[],
  issues: number,
): IncidentFound | null {
  const alike = Map.groupBy(failures, ({ text }) => failureFingerprint(text));
  for (const [fingerprint, all] of alike) {
    const same = known.filter((incident) => incident.fingerprint === fingerprint);
    if (same.some(({ state }) => state === "open")) continue;
    const since = Math.max(0, ...same.map(({ closedAt }) => Number(closedAt)));
    const own = all.filter(({ at }) => at > since);
    const [first] = own;
    if (first === undefined || count(own, ({ repositoryId, issue }) => `${repositoryId}#${issue}`) < issues)
      continue;
    const one = count(own, ({ repositoryId }) => String(repositoryId)) === 1;
    return {
      scope: one ? repositoryScope(first.repositoryId) : "all",
      fingerprint,
      text: first.text,
      repositoryId: first.repositoryId,
      firstIssue: first.issue,
      failures: own,
    };
  }
  return null;
}

function count(failures: readonly Failure[], key: (failure: Failure) => string): number {
  return new Set(failures.map(key)).size;
}

const PROBE_PAUSE_MS = 300_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Turns that a probe must have taken to be through: errors of the model and the runtime show in the first. */
const PROBE_TURNS = 3;

/** Milliseconds before the next probe: 5 min, doubled with each that failed, an hour at most. */
export function probePause(failedProbes: number): number {
  return backoff(failedProbes, PROBE_PAUSE_MS, LONGEST_PAUSE_MS);
}

/** What became of a probe so far. */
export function probeOutcome(facts: {
  /** It has been ACTIVE since it was let go. */
  readonly began: boolean;
  readonly active: boolean;
  /** It has met the same failure since. */
  readonly failed: boolean;
  /** Turns in its present period, or its last. */
  readonly turns: number;
  /** It can still become ACTIVE. */
  readonly live: boolean;
}): "waiting" | "failed" | "through" | "lost" {
  if (facts.failed) return "failed";
  if (!facts.began) return facts.live ? "waiting" : "lost";
  return !facts.active || facts.turns >= PROBE_TURNS ? "through" : "waiting";
}
