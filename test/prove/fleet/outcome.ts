import type { Surprise } from "./fleet-node.ts";
import type { Place } from "./people.ts";

/** What is there once several processes under load have settled. */
export interface Outcome {
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

function placeOf(repository: unknown, issue: unknown): string {
  return `${String(repository)}#${String(issue)}`;
}

/** Returns the issues that have no agent, and those where the last agent of a role has not completed, with that agent. */
export function leftOf(issues: readonly Place[], agents: readonly Row[]): readonly string[] {
  const worked = new Set(agents.map(({ repository, issue }) => placeOf(repository, issue)));
  const last = new Map(
    agents.map((agent) => [
      `${placeOf(agent["repository"], agent["issue"])} ${String(agent["role"])}`,
      agent,
    ]),
  );
  return [
    ...[...last.values()].filter(({ state }) => state !== "COMPLETED").map((agent) => JSON.stringify(agent)),
    ...issues
      .map(({ repository, issue }) => placeOf(repository, issue))
      .filter((place) => !worked.has(place))
      .map((place) => `${place}: no agent`),
  ];
}

/** Returns what processes have broken of what they must keep. `mayDouble`: how much may stand at GitHub twice. */
export function outcomeBroken(outcome: Outcome, mayDouble: number): readonly string[] {
  return [
    ...told("acknowledged and lost", outcome.lost),
    ...told("left behind", outcome.left),
    ...told("made twice", outcome.twice, mayDouble),
    ...told("rules broken", outcome.violations),
    ...told("out of order", outcome.disorder),
    ...told("forbidden by GitHub's limits", outcome.forbidden),
    ...told("ended by itself", outcome.surprises),
  ];
}

/** Returns a line about what was found, where that is more than may be. */
export function told(what: string, found: readonly unknown[], most = 0): readonly string[] {
  return found.length > most ? [`${what}: ${found.map((one) => JSON.stringify(one)).join(", ")}`] : [];
}

type TableRow = readonly [string, string | number];

function outcomeRows(outcome: Outcome): readonly TableRow[] {
  return [
    ["issues with work", outcome.issues],
    ["webhooks acknowledged", outcome.acknowledged],
    ["of these lost", outcome.lost.length],
    ["agents that did not complete", outcome.left.length],
    ["comments and pull requests made", outcome.made],
    ["of these made twice", outcome.twice.length],
    ["lifecycle rules broken", outcome.violations.length],
    ["deliveries out of order in their lane", outcome.disorder.length],
    ["requests that GitHub's limits forbid", outcome.forbidden.length],
  ];
}

/** Formats a table of docs/performance.md: what was done, and its outcome. `machine`: where and when it ran. */
export function outcomeTable(
  done: readonly TableRow[],
  result: Outcome & { readonly seconds: number; readonly seed: number },
  machine: string,
): string {
  return [
    `Run on ${machine}, in ${Math.round(result.seconds / 60)} min, seed ${result.seed}`,
    "",
    "| | |",
    "|---|---:|",
    ...[...done, ...outcomeRows(result)].map(
      ([what, count]) => `| ${what} | ${count.toLocaleString("en")} |`,
    ),
  ].join("\n");
}
