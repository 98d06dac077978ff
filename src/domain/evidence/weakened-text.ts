import { fenced } from "../messages/format.ts";
import type { ApprovalRow } from "../questions/approval.ts";
import { SHORT_HASH } from "../questions/approval.ts";
import type { Finding } from "./finding.ts";

/** Findings that are named, and characters of their list; the pull request shows the rest. */
const MOST_NAMED = 40;
const LONGEST_LIST = 3500;

const KINDS: Readonly<Record<Finding["kind"], (count: number) => string>> = {
  test_gone: (count) => `${of(count, "test")} gone`,
  assertions: (count) => `fewer assertions in ${of(count, "place")}`,
  cases: (count) => `fewer cases in ${of(count, "test")}`,
  skipped: (count) => `${count} skipped`,
  only: (count) => `${of(count, "place")} where only some tests run`,
  cut_short: (count) => `${of(count, "place")} where a test ends early`,
  hidden: (count) => `${of(count, "place")} where a failure is hidden`,
  limit: (count) => `${of(count, "limit")} less strict`,
  snapshot: (count) => `${of(count, "snapshot")} rewritten or gone`,
  configuration: (count) => `${of(count, "file")} of test settings changed`,
  data: (count) => `${of(count, "file")} of test data gone`,
  unread: (count) => `${of(count, "file")} not compared`,
  more: () => "more than can be listed",
};

const of = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Returns how many findings of each kind there are, in words. */
export function weakenedSummary(findings: readonly Finding[]): string {
  const kinds = Map.groupBy(findings, ({ kind }) => kind);
  return [...kinds].map(([kind, all]) => KINDS[kind](all.length)).join(", ");
}

/** Returns a line for each finding, and how many more there are. */
export function weakenedLines(findings: readonly Finding[]): readonly string[] {
  const lines: string[] = [];
  let length = 0;
  for (const { path, line, what } of findings.slice(0, MOST_NAMED)) {
    const text = `${JSON.stringify(path)}${line === null ? "" : `, line ${line}`}: ${what}`;
    length += text.length + 1;
    if (length > LONGEST_LIST) break;
    lines.push(text);
  }
  const more = findings.length - lines.length;
  return more === 0 ? lines : [...lines, `and ${more} more, which the change itself shows`];
}

/** Returns the comment that asks a person whether the work may count as done with what it does to the tests. */
export function weakenedComment(role: string, { hash, input, detail }: ApprovalRow): string {
  const short = hash.slice(0, SHORT_HASH);
  return [
    `**${role}** says that its work is done. Its change may weaken the tests, so a person decides first: ${detail}.`,
    "",
    fenced(input),
    "",
    `\`/flotilla approve ${short}\` lets the work count as done with exactly these changes; \`/flotilla deny <reason>\` sends it back and tells the agent why; \`/flotilla cancel\` ends the agent.`,
  ].join("\n");
}
