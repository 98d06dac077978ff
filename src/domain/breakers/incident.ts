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

/** One failure of one agent, from its transition. Times are milliseconds since the epoch. */
export interface Failure {
  readonly at: number;
  readonly repositoryId: number;
  readonly issue: number;
  readonly agentId: number;
  readonly text: string;
}

export const INCIDENT_STATES = ["open", "closed"] as const;

/** Failures of several issues with one cause, while the cause lasts and after it. */
export interface IncidentRow {
  readonly id: number;
  readonly state: (typeof INCIDENT_STATES)[number];
  readonly scope: Scope;
  readonly fingerprint: string;
  /** The text of the first failure's error. */
  readonly text: string;
  /** Where the incident's issue is opened: the repository and issue of the first failure. */
  readonly repositoryId: number;
  readonly firstIssue: number;
  /** The incident's own issue; null until GitHub has created it. */
  readonly issue: number | null;
  readonly openedAt: number;
  /** The earliest time of the next probe. */
  readonly probeAt: number;
  /** The one agent that may continue, as a probe; null while there is none. */
  readonly probeAgentId: number | null;
  readonly probeSince: number | null;
  /** Number of probes that met the same failure. */
  readonly failedProbes: number;
  readonly closedAt: number | null;
}

/** Returns the same text for two failures that differ only in logins, numbers, times and paths. */
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
 * Returns the first failure that as many issues share as the setting says; null when there is none. `failures` are
 * those within the setting's time, oldest first. `known` = incidents so far: their failures do not count again.
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
/** Turns after which a probe has succeeded: errors of the model and the runtime show in the first ones. */
const PROBE_TURNS = 3;

/** Returns the milliseconds before the next probe: 5 min, doubled with each failed probe, an hour at most. */
export function probePause(failedProbes: number): number {
  return backoff(failedProbes, PROBE_PAUSE_MS, LONGEST_PAUSE_MS);
}

/** Returns the result of a probe so far. */
export function probeOutcome(facts: {
  /** The agent has been ACTIVE since it became the probe. */
  readonly began: boolean;
  readonly active: boolean;
  /** The agent has met the same failure since. */
  readonly failed: boolean;
  /** Turns in the agent's present period, or its last. */
  readonly turns: number;
  /** The agent can still become ACTIVE. */
  readonly live: boolean;
}): "waiting" | "failed" | "through" | "lost" {
  if (facts.failed) return "failed";
  if (!facts.began) return facts.live ? "waiting" : "lost";
  return !facts.active || facts.turns >= PROBE_TURNS ? "through" : "waiting";
}
