import type { Level } from "../access/level.ts";
import { levelOfIssue } from "../access/level-of.ts";
import type { AgentRecord } from "../agents/agent-record.ts";
import { fullName } from "../kernel/repository.ts";
import type { RepositoryRow } from "../kernel/rows.ts";
import type { RepositoryFileState } from "../settings/repository-file-state.ts";
import type { Settings } from "../settings/settings.ts";
import { type LedgerLine, ledger } from "./ledger.ts";
import type { LedgerRows } from "./postings.ts";
import { type SeenIssue, type WouldDo, wouldDo } from "./would-do.ts";

export interface ReportLine extends WouldDo {
  readonly issue: number;
  readonly title: string;
  readonly state: "open" | "closed";
  readonly author: string;
  readonly labels: readonly string[];
  readonly level: Level;
  /** Agents that did work on it, oldest first. */
  readonly did: readonly {
    readonly name: string;
    readonly state: string;
    readonly pr: number | null;
    readonly reason: string | null;
  }[];
  readonly costMicroUsd: number;
  /** Milliseconds. */
  readonly awakeMs: number;
  /** Number of people's acts for it. */
  readonly touches: number;
}

export interface ReportTotals {
  readonly issues: number;
  /** Number of issues on which an agent would start. */
  readonly would: number;
  readonly roles: Readonly<Record<string, number>>;
  /** The cost if each agent that would start used its whole limit; null where one has no limit of cost. */
  readonly mostUsd: number | null;
  readonly handled: number;
  readonly completed: number;
  readonly pulls: number;
  readonly costMicroUsd: number;
  readonly awakeMs: number;
  readonly touches: number;
}

export interface Report {
  readonly repository: string;
  /** The content of the repository's own file that was used. */
  readonly file: RepositoryFileState;
  readonly lines: readonly ReportLine[];
  readonly totals: ReportTotals;
}

/**
 * Returns what would be done on the given issues by the settings of the repository, and what was done. `now` in
 * milliseconds since the epoch.
 */
export function reportOf(
  settings: Settings,
  repository: RepositoryRow,
  known: {
    readonly seen: readonly SeenIssue[];
    readonly agents: readonly AgentRecord[];
    readonly rows: LedgerRows;
    readonly now: number;
    readonly file: RepositoryFileState;
  },
): Report {
  const name = fullName(repository);
  const span = { from: 0, to: known.now, names: new Map([[repository.id, name]]) };
  const spent = new Map(ledger(known.rows, "issue", span).map((line) => [line.key, line]));
  const lines = known.seen.map((one) =>
    lineOf(settings, repository, {
      one,
      agents: known.agents.filter(({ issue }) => issue === one.issue.number),
      spent: spent.get(`${name}#${one.issue.number}`),
    }),
  );
  return { repository: name, file: known.file, lines, totals: totalsOf(lines) };
}

function lineOf(
  settings: Settings,
  repository: RepositoryRow,
  { one, agents, spent }: { one: SeenIssue; agents: readonly AgentRecord[]; spent: LedgerLine | undefined },
): ReportLine {
  const { number, title, state, author, labels } = one.issue;
  return {
    issue: number,
    title,
    state,
    author: author.login,
    labels,
    level: levelOfIssue(settings, fullName(repository), labels),
    ...wouldDo(settings, repository, one),
    did: agents.map((agent) => ({
      name: agent.name,
      state: agent.state,
      pr: agent.prNumber,
      reason: agent.reason,
    })),
    costMicroUsd: spent?.costMicroUsd ?? 0,
    awakeMs: spent?.wallMs ?? 0,
    touches: spent?.touches ?? 0,
  };
}

function totalsOf(lines: readonly ReportLine[]): ReportTotals {
  const sum = (of: (line: ReportLine) => number): number => lines.reduce((so, line) => so + of(line), 0);
  const starts = lines.flatMap((line) => line.starts);
  const roles = Map.groupBy(starts, ({ role }) => role);
  const costs = starts.flatMap(({ limits }) => limits.maxCostUsd ?? []);
  return {
    issues: lines.length,
    would: lines.filter((line) => line.starts.length > 0).length,
    roles: Object.fromEntries([...roles].map(([role, of]) => [role, of.length])),
    mostUsd: costs.length < starts.length ? null : costs.reduce((so, cost) => so + cost, 0),
    handled: lines.filter(({ did }) => did.length > 0).length,
    completed: lines.filter(({ did }) => did.some(({ state }) => state === "COMPLETED")).length,
    pulls: new Set(lines.flatMap(({ did }) => did.flatMap(({ pr }) => pr ?? []))).size,
    costMicroUsd: sum((line) => line.costMicroUsd),
    awakeMs: sum((line) => line.awakeMs),
    touches: sum((line) => line.touches),
  };
}
