import { OF_ACTS } from "../../src/domain/decisions/of-acts.ts";
import { OF_GUARDS } from "../../src/domain/decisions/of-guards.ts";
import type { RuleWords } from "../../src/domain/decisions/rule-words.ts";
import {
  OF_CHECKS,
  OF_MERGING,
  OF_PLANS,
  OF_QUESTIONS,
  OF_REPOSITORIES,
} from "../../src/domain/decisions/rules.ts";

const SECTIONS: readonly (readonly [string, Readonly<Record<string, RuleWords>>])[] = [
  ["What people did, and what happened on GitHub", OF_ACTS],
  ["What a lifecycle refuses", OF_GUARDS],
  ["Checks and the base branch", OF_CHECKS],
  ["Merging", OF_MERGING],
  ["Questions", OF_QUESTIONS],
  ["Goals and sprints", OF_PLANS],
  ["Repositories and the installation", OF_REPOSITORIES],
];

const HEAD = `# Why something was not done

When Flotilla does not do something, it records a decision: a rule, a reason, and what a person can do next. \`/flotilla why\`
shows the last ones on the issue, \`flotilla explain owner/repo#7\` in a terminal, \`/api/decisions\` to programs; the status
comment shows the last one that somebody can change. This page lists all rules. Each decision also has its own reason, with
names and numbers. Unless the decision names another next step, do what this page says.

This page is generated from \`src/domain/decisions/\`; \`npx vitest run test/docs -u\` updates it.
`;

/** docs/decisions.md. */
export function decisionsPage(): string {
  const sections = SECTIONS.map(([title, rules]) =>
    [
      `## ${title}`,
      "",
      "| rule | what was decided | what you can do |",
      "|---|---|---|",
      ...Object.entries(rules)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([rule, { what, next }]) => `| \`${rule}\` | ${what} | ${next.replaceAll("|", "\\|")} |`),
      "",
    ].join("\n"),
  );
  return [HEAD, ...sections].join("\n");
}
