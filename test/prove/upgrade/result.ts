import { type Outcome, outcomeBroken, outcomeTable, told } from "../fleet/outcome.ts";

/** How one process was replaced by one of the other version. */
export interface Replacement {
  readonly node: string;
  /** `back`: from the new version to the old one, which the new one's drain prepares. */
  readonly way: "upgrade" | "back";
  /** Agents that were at work there when it began. */
  readonly agents: number;
  /** How long the drain took; null for a process whose version cannot be drained. */
  readonly drainMs: number | null;
  /** What `flotilla drain` said at its end. */
  readonly said: string;
  /** How long the process took to end after SIGTERM. */
  readonly stopMs: number;
  /** Calls of the model that were broken off meanwhile. */
  readonly brokenOff: number;
  /** Why agents were put to rest meanwhile. */
  readonly rests: readonly string[];
}

/** What a run has done, and what was there at its end. */
export interface UpgradeResult extends Outcome {
  readonly seed: number;
  readonly nodes: number;
  readonly replacements: readonly Replacement[];
  /** The longest time in which no process was ready for webhooks. */
  readonly gapMs: number;
  /** Webhooks that reached no process at first; Flotilla asks for them later. */
  readonly refused: number;
  readonly seconds: number;
}

/** How long a process may take to end after SIGTERM. */
const GRACE_MS = 20_000;
const IS_CUT = /the host stopped|no sign of life/;
const IS_DRAINED = /is drained: stop it now\. Its agents continue on/;

/** Returns the turns that a drain has cut off: calls of the model broken off, and rests for another reason than the drain. */
function cutsOf({ drainMs, brokenOff, rests }: Replacement): number {
  return drainMs === null ? 0 : Math.max(brokenOff, rests.filter((reason) => IS_CUT.test(reason)).length);
}

/** Returns what a run has broken of what it must keep. */
export function brokenBy(result: UpgradeResult): readonly string[] {
  const { replacements } = result;
  const drains = replacements.filter(({ drainMs }) => drainMs !== null);
  return [
    // Nobody pauses a process here, so nothing may be made twice.
    ...outcomeBroken(result, 0),
    ...told(
      "not drained",
      drains.filter(({ said }) => !IS_DRAINED.test(said)),
    ),
    ...told(
      "cut off in a turn by a drain",
      drains.filter((one) => cutsOf(one) > 0),
    ),
    ...told(
      "not ended within the grace time",
      replacements.filter(({ stopMs }) => stopMs > GRACE_MS),
    ),
    ...told("without a process that is ready for webhooks, in ms", result.gapMs > 0 ? [result.gapMs] : []),
  ];
}

/** Formats the table in docs/performance.md. `machine`: where and when it ran. */
export function upgradeTable(result: UpgradeResult, machine: string): string {
  const { replacements } = result;
  const back = replacements.filter(({ way }) => way === "back");
  const drained = replacements.filter(({ drainMs }) => drainMs !== null);
  return outcomeTable(
    [
      ["processes on one PostgreSQL", result.nodes],
      ["upgraded: the old version, which has no drain, ended by SIGTERM", replacements.length - back.length],
      ["brought back: the new version drained after turns, then ended", back.length],
      ["agents at work on these processes when that began", sum(replacements, ({ agents }) => agents)],
      ["longest drain, in seconds", longest(drained, ({ drainMs }) => drainMs ?? 0)],
      [
        `longest end after SIGTERM, in seconds (may take ${GRACE_MS / 1000})`,
        longest(replacements, ({ stopMs }) => stopMs),
      ],
      ["turns cut off by a drain", sum(drained, cutsOf)],
      ["seconds without a process that is ready for webhooks", seconds(result.gapMs)],
      ["webhooks that reached no process at first", result.refused],
    ],
    result,
    machine,
  );
}

function sum<T>(of: readonly T[], value: (one: T) => number): number {
  return of.reduce((so, one) => so + value(one), 0);
}

function longest(of: readonly Replacement[], ms: (one: Replacement) => number): number {
  return seconds(Math.max(0, ...of.map(ms)));
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
