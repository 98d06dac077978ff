import { loadConfig } from "../../config/load-config.ts";
import { fullName, parseFullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { type Report, reportOf } from "../../domain/reporting/report.ts";
import { reportText } from "../../domain/reporting/report-text.ts";
import { repositoryFileState } from "../../domain/settings/repository-file-state.ts";
import { doneOn } from "../../server/control/done-on.ts";
import { keptSettings } from "../../server/kept-settings.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command, CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";
import { type Progress, working } from "../progress.ts";
import { readingGitHub } from "../reading-github.ts";
import { refused } from "../refused.ts";
import { seenIssues } from "./report-issues.ts";

const USAGE = "flotilla report [--last 30] [--repo owner/name]";
const MOST = 300;

export const report: Command = {
  name: "report",
  summary: "show what Flotilla would do on the last issues of a repository, and what it did",
  usage: USAGE,
  details: [
    "Shows for each issue which role would start, what starts it and with which limits, or why none would; and what agents did there, what it cost, and how often a person was needed. docs/levels.md explains the report.",
    "It uses a repository's own file as Flotilla read it last, and says which file decided. Reads GitHub and the database, writes nothing, and works while Flotilla is stopped.",
  ],
  options: {
    last: {
      type: "string",
      says: `how many issues, newest first; the default is 30, the maximum ${MOST}`,
      value: "count",
    },
    repo: {
      type: "string",
      says: "report on one repository; the default is all that Flotilla knows",
      value: "owner/name",
    },
  },
  examples: ["flotilla report --last 30 --repo acme/shop", "flotilla report --json | jq '.reports[].totals'"],
  async run(context) {
    const { args, options, print } = context;
    const last = Number(options["last"] ?? 30);
    const wanted = typeof options["repo"] === "string" ? options["repo"] : null;
    if (
      args.length > 0 ||
      !Number.isInteger(last) ||
      last < 1 ||
      last > MOST ||
      (wanted !== null && !parseFullName(wanted))
    ) {
      return refused(context, `Run \`${USAGE}\`, with 1 to ${MOST} issues.`);
    }
    const repositories = (await reading(context, (store) => store.repositories.all())).filter(
      (one) => wanted === null || fullName(one).toLowerCase() === wanted.toLowerCase(),
    );
    if (repositories.length === 0) {
      return refused(
        context,
        `No webhook from ${wanted ?? "any repository"} has arrived yet: install the App there while \`flotilla serve\` runs, or comment on one of its issues.`,
      );
    }
    const reports = await working("issues are read", (progress) =>
      reportsOn({ ...context, ...progress }, repositories, last),
    );
    if (options["json"] === true) print(JSON.stringify({ reports }));
    else
      for (const line of reports.flatMap((one, index) => [...(index === 0 ? [] : [""]), ...reportText(one)]))
        print(line);
    return 0;
  },
};

async function reportsOn(
  context: CommandContext & Progress,
  repositories: readonly RepositoryRow[],
  last: number,
): Promise<readonly Report[]> {
  const { config } = loadConfig({ ...context, ...DECLARED });
  const tools = { ...readingGitHub(context, config), settings: config, show: context.show };
  const now = systemClock.now();
  const files = await reading(context, (store) => store.repositoryFiles.all());
  const settingsOf = keptSettings(config, files);
  const reports: Report[] = [];
  for (const repository of repositories) {
    const seen = await seenIssues(tools, repository, last);
    const issues = seen.map(({ issue }) => issue.number);
    const done = await reading(context, (store) => doneOn(store, repository.id, issues));
    const file = repositoryFileState(files.find(({ repositoryId }) => repositoryId === repository.id));
    reports.push(reportOf(settingsOf(repository.id), repository, { seen, ...done, now, file }));
  }
  return reports;
}
