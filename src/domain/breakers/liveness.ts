import { type Activity, type InFlight, overdue, recordFileChange } from "./activity.ts";

/** Silence after which an agent is suspected. Milliseconds. */
const SUSPECT_AFTER_MS = 120_000;
/** Pause between two probes of a suspect; a short hang is over by the second one. Milliseconds. */
const PROBE_EVERY_MS = 60_000;
/** Failed probes, without a sign of life between them, that lead to a verdict. */
const PROBES = 2;

/** The result of a probe of a suspect. */
export interface Probe {
  readonly at: number;
  /** The process exists. */
  readonly process: boolean;
  /** The process answered a ping in time. */
  readonly answered: boolean;
  /** The files of the worktree differ from those at the last probe. */
  readonly changed: boolean;
}

/** dead = the process is gone; hung = it does nothing any more; tool = one of its tools is past its deadline. */
type VerdictKind = "dead" | "hung" | "tool";

/** Why an agent, or one of its tools, is stopped; kept with the move that follows. Times in milliseconds. */
export interface Verdict {
  readonly kind: VerdictKind;
  readonly at: number;
  readonly silentMs: number;
  readonly probes: readonly Probe[];
  readonly inFlight: readonly InFlight[];
}

/** The liveness of one agent: `well` until it is suspected; a verdict is final. */
export type Liveness =
  | { readonly state: "well" }
  | { readonly state: "suspect"; readonly probes: readonly Probe[] }
  | { readonly state: "judged"; readonly verdict: Verdict };

export const WELL: Liveness = { state: "well" };

/** Returns whether a probe is due now: after two minutes without a sign of life, then once a minute. */
export function probeDue(liveness: Liveness, activity: Activity, now: number): boolean {
  if (liveness.state === "judged" || now - activity.lastSignAt < SUSPECT_AFTER_MS) return false;
  const last = liveness.state === "suspect" ? liveness.probes.at(-1) : undefined;
  return last === undefined || now - last.at >= PROBE_EVERY_MS;
}

/**
 * Returns the liveness after a probe. An answer while a call is within its deadline, or a change of the files, is a
 * sign of life. Two probes that find neither, with no sign of life since the first, lead to the verdict.
 */
export function afterProbe(
  liveness: Liveness,
  activity: Activity,
  probe: Probe,
): { readonly liveness: Liveness; readonly activity: Activity } {
  if (liveness.state === "judged") return { liveness, activity };
  if (works(activity, probe)) return { liveness: WELL, activity: recordFileChange(activity, probe.at) };
  if (probe.at - activity.lastSignAt < SUSPECT_AFTER_MS) return { liveness: WELL, activity };
  const before = liveness.state === "suspect" ? liveness.probes : [];
  const probes = [...before.filter(({ at }) => at > activity.lastSignAt), probe];
  if (probes.length < PROBES) return { liveness: { state: "suspect", probes }, activity };
  const verdict: Verdict = {
    kind: kindOf(activity, probe),
    at: probe.at,
    silentMs: probe.at - activity.lastSignAt,
    probes,
    inFlight: activity.inFlight,
  };
  return { liveness: { state: "judged", verdict }, activity };
}

function works(activity: Activity, probe: Probe): boolean {
  if (!probe.process) return false;
  if (probe.changed) return true;
  return probe.answered && activity.inFlight.length > 0 && overdue(activity, probe.at).length === 0;
}

function kindOf(activity: Activity, probe: Probe): VerdictKind {
  if (!probe.process) return "dead";
  return probe.answered && overdue(activity, probe.at).some(({ what }) => what === "tool") ? "tool" : "hung";
}

/** Returns the verdict in words, for people and for the record. */
export function verdictText(verdict: Verdict): string {
  const silent = `${Math.round(verdict.silentMs / 1000)} s without a sign of life`;
  const asked = `asked ${verdict.probes.length} times`;
  const flying = verdict.inFlight.map(({ name }) => name).join(", ");
  switch (verdict.kind) {
    case "dead":
      return `its process is gone (${silent}, ${asked})`;
    case "hung":
      return `it hangs (${silent}, ${asked}, ${flying === "" ? "nothing in flight" : `in flight: ${flying}`})`;
    case "tool":
      return `a tool is past its deadline (${flying}; ${silent}, ${asked})`;
  }
}
