import type { Surprise } from "./nodes.ts";

/** What a run has done, and what was there at its end. */
export interface ClusterResult {
  readonly seed: number;
  readonly nodes: number;
  readonly kills: number;
  /** The crash points at which a process has ended itself. */
  readonly points: readonly string[];
  readonly pauses: number;
  readonly outages: number;
  readonly outageSeconds: number;
  readonly promotions: number;
  readonly issues: number;
  /** Webhooks that were answered 202, and those of them that the database does not have or that have not ended. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** Issues whose agent has not completed. */
  readonly left: readonly string[];
  /** What Flotilla made at GitHub, and what of it stands there more than once. */
  readonly made: number;
  readonly twice: readonly string[];
  readonly violations: readonly string[];
  /** Deliveries that ended before an earlier one of their lane. */
  readonly disorder: readonly string[];
  /** Requests that GitHub's limits forbid. */
  readonly forbidden: readonly string[];
  /** Processes that ended though nobody had asked them to. */
  readonly surprises: readonly Surprise[];
  readonly seconds: number;
}

/** A row as the database answers it. */
export type Row = Readonly<Record<string, unknown>>;

const ENDED: readonly unknown[] = ["done", "ignored"];

/** Returns the acknowledged webhooks that the database does not have, or that have no outcome, with what it says. */
export function lostOf(acknowledged: ReadonlySet<string>, deliveries: readonly Row[]): readonly string[] {
  const known = new Map(deliveries.map((row) => [row["guid"], row]));
  return [...acknowledged]
    .filter((guid) => !ENDED.includes(known.get(guid)?.["state"]))
    .map((guid) => JSON.stringify(known.get(guid) ?? { guid, state: "not stored" }));
}

/** Returns the issues whose last agent has not completed, with that agent. */
export function leftOf(issues: readonly number[], agents: readonly Row[]): readonly string[] {
  const last = new Map(agents.map((agent) => [Number(agent["issue"]), agent]));
  return issues
    .filter((issue) => last.get(issue)?.["state"] !== "COMPLETED")
    .map((issue) => `#${issue}: ${JSON.stringify(last.get(issue) ?? "no agent")}`);
}

/** Returns what a run has broken of what it must keep. */
export function brokenBy(result: ClusterResult): readonly string[] {
  return [
    ...told("acknowledged and lost", result.lost),
    ...told("left behind", result.left),
    // A request that was on its way when its process was stopped reaches GitHub, whoever has the effect by then.
    ...told("made twice", result.twice, result.pauses),
    ...told("rules broken", result.violations),
    ...told("out of order", result.disorder),
    ...told("forbidden by GitHub's limits", result.forbidden),
    ...told("ended by itself", result.surprises),
  ];
}

function told(what: string, found: readonly unknown[], most = 0): readonly string[] {
  return found.length > most ? [`${what}: ${found.map((one) => JSON.stringify(one)).join(", ")}`] : [];
}

/** Formats the table in docs/performance.md. `machine`: where and when it ran. */
export function clusterTable(result: ClusterResult, machine: string): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ["processes on one PostgreSQL", result.nodes],
    ["kill -9, at random and at crash points", result.kills],
    ["crash points at which one ended itself", result.points.length],
    ["pauses of one and a half leases (30 s or 90 s)", result.pauses],
    [`PostgreSQL ended as by a loss of power, and away for ${result.outageSeconds} s`, result.outages],
    ["PostgreSQL lost, its synchronous standby promoted", result.promotions],
    ["issues with work", result.issues],
    ["webhooks acknowledged", result.acknowledged],
    ["of these lost", result.lost.length],
    ["agents that did not complete", result.left.length],
    ["comments and pull requests made", result.made],
    ["of these made twice", result.twice.length],
    ["lifecycle rules broken", result.violations.length],
    ["deliveries out of order in their lane", result.disorder.length],
    ["requests that GitHub's limits forbid", result.forbidden.length],
  ];
  return [
    `Run on ${machine}, in ${Math.round(result.seconds / 60)} min, seed ${result.seed}`,
    "",
    "| | |",
    "|---|---:|",
    ...rows.map(([what, count]) => `| ${what} | ${count.toLocaleString("en")} |`),
  ].join("\n");
}
