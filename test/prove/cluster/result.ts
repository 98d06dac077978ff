import { type Outcome, outcomeBroken, outcomeTable } from "../fleet/outcome.ts";
import { POINTS } from "./points.ts";

/** What a run has done, and what was there at its end. */
export interface ClusterResult extends Outcome {
  readonly seed: number;
  readonly nodes: number;
  readonly kills: number;
  /** The crash points at which a process has ended itself. */
  readonly points: readonly string[];
  readonly pauses: number;
  readonly outages: number;
  readonly outageSeconds: number;
  readonly promotions: number;
  readonly seconds: number;
}

/** Returns what a run has broken of what it must keep. */
export function brokenBy(result: ClusterResult): readonly string[] {
  // A request that was on its way when its process was stopped reaches GitHub, whoever has the effect by then.
  return outcomeBroken(result, result.pauses);
}

/** Formats the table in docs/performance.md. `machine`: where and when it ran. */
export function clusterTable(result: ClusterResult, machine: string): string {
  return outcomeTable(
    [
      ["processes on one PostgreSQL", result.nodes],
      ["kill -9, at random and at crash points", result.kills],
      [`crash points at which one ended itself, of ${POINTS.length}`, result.points.length],
      ["pauses of one and a half leases (30 s or 90 s)", result.pauses],
      [`PostgreSQL ended as by a loss of power, and away for ${result.outageSeconds} s`, result.outages],
      ["PostgreSQL lost, its synchronous standby promoted", result.promotions],
    ],
    result,
    machine,
  );
}
