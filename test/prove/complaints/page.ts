import type { Judged, Result } from "./result.ts";
import { STORIES } from "./stories.ts";
import type { Complaint } from "./table.ts";
import { VERDICTS } from "./verdict.ts";

const NOT_JUDGED: Pick<Judged, "verdict" | "facts"> = { verdict: "not judged", facts: [] };

/** Formats docs/complaints.md. */
export function complaintsPage(complaints: readonly Complaint[], result: Result): string {
  const found = new Map(result.judged.map((one) => [one.number, one]));
  const of = ({ number }: Complaint) => found.get(number) ?? NOT_JUDGED;
  const counts = VERDICTS.map((verdict) => [
    verdict,
    complaints.filter((one) => of(one).verdict === verdict).length,
  ]);
  const subjects = [...new Set(complaints.map(({ subject }) => subject))];
  return [
    HEAD,
    `Last played on ${result.machine}:`,
    "",
    "| verdict | complaints |",
    "|---|---:|",
    ...counts.map(([verdict, count]) => `| ${verdict} | ${count} |`),
    "",
    ...subjects.flatMap((subject) => [
      `## ${subject}`,
      "",
      "| | the complaint | with Flotilla | what was seen |",
      "|---:|---|---|---|",
      ...complaints
        .filter((one) => one.subject === subject)
        .map(
          (one) =>
            `| ${one.number} | ${one.complaint} | ${shown(of(one).verdict)} | ${told(of(one).facts)} |`,
        ),
      "",
    ]),
    "## The stories",
    "",
    "Each is played once, with a process of its own, and judges several complaints.",
    "",
    "| story | what is played | judges |",
    "|---|---|---|",
    ...Object.entries(STORIES).map(
      ([name, { played, judges }]) => `| \`${name}\` | ${played} | ${judges.join(", ")} |`,
    ),
    "",
  ].join("\n");
}

const HEAD = `# What users complain about

Made by \`npm run prove -- complaints --write\`.

People complain about systems that let agents work on issues. These are 89 of their complaints, in our words. For each, a story
is played with the real \`serve\` process, a stand-in for GitHub and a scripted model, and a check looks from outside whether
the complaint happens: at the requests that GitHub gets, the comments that people read, files, processes, and the answers of the
API and the command line. \`npm run prove -- complaints --only 17\` repeats one, and prints what was seen.

"Happens partly" and "happens" are what Flotilla does not do today. "Not judged" means that no run has come to the end of that story yet.
`;

function shown(verdict: string): string {
  return verdict === "does not happen" ? verdict : `**${verdict}**`;
}

/** Facts that are not so are marked. */
function told(facts: Judged["facts"]): string {
  return facts.map(([seen, isSo]) => (isSo ? seen : `**not so:** ${seen}`)).join("; ");
}
