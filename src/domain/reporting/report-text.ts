import { dollars, microUsd } from "../breakers/money.ts";
import { duration } from "../messages/format.ts";
import { visibleText } from "../messages/visible-text.ts";
import { repositoryFileWords } from "../settings/repository-file-text.ts";
import type { Report, ReportLine, ReportTotals } from "./report.ts";

/** Characters of a title that are shown. */
const TITLE = 50;

/**
 * Returns a report as lines for a terminal: each issue with what would begin there and what was done, then the sums.
 */
export function reportText({ repository, file, lines, totals }: Report): readonly string[] {
  const width = Math.max(0, ...lines.map(({ issue }) => `#${issue}`.length));
  return [
    `${repository}: the last ${lines.length} issues, as they stand now; closed ones are taken as open`,
    // Only where such a file exists: other operators need not read about it.
    ...("blob" in file ? [`${repositoryFileWords(file, repository).what}.`] : []),
    "",
    ...lines.flatMap((line) => lineText(line, width)),
    ...(lines.length === 0 ? [] : [""]),
    ...totalsText(totals),
  ];
}

function lineText(line: ReportLine, width: number): readonly string[] {
  const indent = " ".repeat(width + 2);
  const title = flat(line.title).slice(0, TITLE);
  const labels = line.labels.length === 0 ? "" : `  [${line.labels.join(", ")}]`;
  return [
    `${`#${line.issue}`.padStart(width)}  ${title}${labels}  (${line.state}, by @${line.author}, level ${line.level})`,
    ...line.starts.map(({ role, cause, limits }) => {
      const cost = limits.maxCostUsd === undefined ? "" : `, ${dollars(microUsd(limits.maxCostUsd))}`;
      const by = cause === "opened" ? "when opened" : `by the label ${cause}`;
      return `${indent}would start ${role} ${by}, with at most ${limits.maxTurns} turns, ${duration(limits.maxActiveDurationMs)}${cost}`;
    }),
    ...line.not.map(
      (why) => `${indent}${line.starts.length === 0 ? "would start nobody" : "and not more"}: ${flat(why)}`,
    ),
    ...line.did.map(({ name, state, pr, reason }) => {
      const pull = pr === null ? "" : `, pull request #${pr}`;
      return `${indent}did: ${name} is ${state}${pull}${reason === null ? "" : `: ${flat(reason)}`}`;
    }),
    ...(line.did.length === 0
      ? []
      : [
          `${indent}used: ${dollars(line.costMicroUsd)}, ${duration(line.awakeMs)} awake, ${line.touches} touches by people`,
        ]),
  ];
}

function totalsText(totals: ReportTotals): readonly string[] {
  const roles = Object.entries(totals.roles).map(([role, count]) => `${role} ${count}`);
  const most =
    totals.mostUsd === null ? "without a limit of cost" : `at most ${dollars(microUsd(totals.mostUsd))}`;
  return [
    `Would start on ${totals.would} of ${totals.issues} issues${roles.length === 0 ? "" : `: ${roles.join(", ")}; ${most}`}`,
    `Did work on ${totals.handled}: ${totals.completed} completed, ${totals.pulls} pull requests, ${dollars(totals.costMicroUsd)}, ${duration(totals.awakeMs)} awake, ${totals.touches} touches by people`,
  ];
}

/** Returns untrusted text on one line for a terminal. */
function flat(text: string): string {
  return visibleText(text).replace(/\s+/g, " ").trim();
}
