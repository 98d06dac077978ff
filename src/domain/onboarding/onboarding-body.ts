import { LEVELS, type Level } from "../access/level.ts";
import type { Role, RoleTrigger } from "../agents/role.ts";
import { limitsFor } from "../breakers/limits.ts";
import { dollars, microUsd } from "../breakers/money.ts";
import { duration, oneLine } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { Report, ReportLine } from "../reporting/report.ts";
import type { Settings } from "../settings/settings.ts";
import { PROPOSED_FILE } from "./proposed.ts";
import type { SeenCommand } from "./repository-top.ts";
import { hostsOf, type SeenRepository, setupTakesEffect, unpermittedHosts } from "./seen-repository.ts";
import { isInForce, type ProposalTrial } from "./trial.ts";
import { trialSection } from "./trial-section.ts";

export const PROPOSAL_TITLE = "Configure Flotilla";

/** The message of the one commit that adds the file. */
export const PROPOSAL_MESSAGE = `Configure Flotilla

Adds ${PROPOSED_FILE}, by which this repository says how Flotilla works in it.`;

/** What Flotilla may do at each level, including all levels before it. */
const MAY: Readonly<Record<Level, string>> = {
  observe: "it reads, and writes nothing to GitHub",
  comment: "it comments on issues and labels them; it pushes no branch and opens no pull request",
  draft: "it pushes branches of its own and opens draft pull requests",
  pr: "it pushes branches of its own and opens pull requests, which people merge",
  merge: "it opens pull requests, and may merge what is approved and green where `merge.auto` is on",
};

export interface ProposalBody {
  readonly settings: Settings;
  readonly level: Level;
  /** As the trial left it. */
  readonly seen: SeenRepository;
  readonly trial: ProposalTrial;
  readonly report: Report;
  /** `owner/name`. */
  readonly repository: string;
}

/**
 * Returns the body of the pull request that proposes the file. Numbers and titles of issues are code or made safe, so
 * that it links to no issue and mentions nobody.
 */
export function proposalBody(known: ProposalBody): string {
  const { settings, level, report, repository } = known;
  const tried = trialSection(known);
  return [
    `This pull request adds one file, \`${PROPOSED_FILE}\`, and changes nothing else. The people who run Flotilla for this repository, below called the operator, asked for it; no agent wrote it.`,
    section(
      "What Flotilla is",
      "A GitHub App that assigns an AI agent to an issue. The role of the agent, such as fixing bugs, says what its job is. The agent works on a branch of its own, sleeps while it waits for checks, people or other issues, asks when it does not know, and opens a pull request with the evidence that its work does what was asked.",
    ),
    section(
      "Until this is merged, and after",
      [
        "- **Until then** nothing changes: Flotilla continues as its operator has configured it.",
        `- **After that** the file applies as it is on the default branch. ${commandsAfter(known)}`,
        ...(level === "draft"
          ? ["- It is a draft because the level here is `draft`: press “Ready for review” to merge it."]
          : []),
      ].join("\n"),
    ),
    ...(tried === null ? [] : [section("What was tried", tried)]),
    section("What starts which role", triggers([...settings.roles.values()])),
    section(
      "How far it goes here",
      `The level of this repository is \`${level}\`: ${MAY[level]}. Levels are ${LEVELS.map((one) => `\`${one}\``).join(", ")}, each with all of those before it. Only the operator sets them, and no file in a repository can.`,
    ),
    section(`What it would have done on the last ${report.lines.length} issues`, wouldHave(report)),
    section("What it may cost", cost(settings, report)),
    section(
      "If you do not want this file",
      `Close this pull request. Flotilla then opens no other one unless it is asked to, and continues as its operator has configured it. The operator can ask again with \`flotilla onboard ${repository} --again\`. To have no agents here at all, take the repository out of the App's installation.`,
    ),
    section(
      "To change it",
      "Edit the file on this branch before merging, or change it later by a pull request like any other file. It can lower limits, but never raise them. docs/repository-file.md, in Flotilla's own repository, lists everything that it can say.",
    ),
    "Comments here start no agent, and no agent reviews, changes or merges this pull request.",
  ].join("\n\n");
}

const section = (title: string, text: string) => `### ${title}\n\n${text}`;

function commandsAfter({ settings, seen }: ProposalBody): string {
  const { commands } = settings.evidence;
  const prepared = preparation(settings, seen);
  if (commands.length > 0)
    return `The operator's acceptance commands stay as they are (${commands.map((one) => inlineCode(one)).join(", ")}); what this repository suggests stands in the file as a comment. ${prepared}`;
  if (seen.run.length === 0)
    return `No acceptance command was found in this repository, so agents' work is accepted without one: name a command that shows whether the work is right. ${prepared}`;
  const run = seen.run.filter(isInForce);
  if (run.length === 0)
    return `No acceptance command that was found here succeeded when it was tried, so agents' work is accepted without one until the file sets one. ${prepared}`;
  return `What an agent claims to be done must then pass ${list(run)} on a clean checkout, without network. ${prepared}`;
}

function preparation(settings: Settings, seen: SeenRepository): string {
  const { commands } = settings.setup;
  if (commands.length > 0)
    return `The operator's setup commands prepare the checkout first: ${commands.map((one) => inlineCode(one)).join(", ")}.`;
  if (!setupTakesEffect(settings, seen))
    return "No setup command prepares the checkout, so the acceptance commands find only the files of the repository and the programs of the machine.";
  const setup = seen.setup.filter(isInForce);
  if (setup.length === 0)
    return "No setup command that was found here succeeded when it was tried, so nothing prepares the checkout until the file sets one.";
  const hosts = unpermittedHosts(hostsOf(setup, settings), settings);
  const permit =
    hosts.length === 0
      ? ""
      : ` Before you merge, have the operator permit ${hosts.map((one) => inlineCode(one)).join(", ")} in \`setup.repositories_may.hosts\`.`;
  return `The checkout is prepared first by ${list(setup)}.${permit}`;
}

const list = (commands: readonly SeenCommand[]) =>
  commands.map(({ command, why }) => `${inlineCode(command)} (${why})`).join(", ");

function triggers(roles: readonly Role[]): string {
  const rows = roles.map((role) => {
    const starts = role.triggers.map(cause).join(", ");
    return `| ${inlineCode(role.name)} | ${oneLine(role.description)} | ${starts === "" ? "a command only" : starts} |`;
  });
  return [
    "| role | what it does | what starts it |",
    "|---|---|---|",
    ...rows,
    "",
    "People with write permission can also say `/flotilla start <role>` on an issue, and `/flotilla cancel` to end it.",
  ].join("\n");
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ["task.ready_for_review", "work of an agent that is ready for review"],
  ["task.merged", "work of an agent that is merged"],
  ["task.rejected", "work of an agent that ends without a merge"],
]);

function cause({ event, label }: RoleTrigger): string {
  if (label !== undefined) return `the label ${inlineCode(label)}`;
  return CAUSES.get(event) ?? "an issue is opened";
}

function wouldHave({ lines, totals }: Report): string {
  if (lines.length === 0) return "There are no issues yet.";
  const started = lines.filter(({ starts }) => starts.length > 0);
  const why = Map.groupBy(
    lines.filter(({ starts }) => starts.length === 0),
    ({ not }) => oneLine(not.join("; ")),
  );
  const roles = Object.entries(totals.roles).map(([role, count]) => `${inlineCode(role)} on ${count}`);
  return [
    `With today's configuration an agent would have started on ${started.length} of ${lines.length}${roles.length === 0 ? "" : `: ${roles.join(", ")}`}. Closed issues count as open here. Only the rules were applied; no model was asked.`,
    ...(started.length === 0
      ? []
      : [folded("The issues on which one would have started", started.map(startLine))]),
    ...(why.size === 0
      ? []
      : [
          folded(
            "Why not on the others",
            [...why].map(([reason, of]) => `- ${numbers(of)}: ${reason}`),
          ),
        ]),
  ].join("\n\n");
}

function startLine({ issue, title, starts }: ReportLine): string {
  const by = starts.map(({ role, cause: label }) =>
    label === "opened"
      ? `${inlineCode(role)} when it was opened`
      : `${inlineCode(role)} by the label ${inlineCode(label)}`,
  );
  return `- \`#${issue}\` ${oneLine(title)}: ${by.join(", ")}`;
}

/** As code: a link would show this pull request on each of those issues. */
const numbers = (lines: readonly ReportLine[]) => lines.map(({ issue }) => `\`#${issue}\``).join(" ");

function folded(summary: string, lines: readonly string[]): string {
  return `<details><summary>${summary}</summary>\n\n${lines.join("\n")}\n\n</details>`;
}

function cost(settings: Settings, { lines, totals }: Report): string {
  const rows = [...settings.roles.values()].map((role) => {
    const { maxTurns, maxActiveDurationMs, maxCostUsd } = limitsFor(settings, role);
    return `| ${inlineCode(role.name)} | ${maxTurns} | ${duration(maxActiveDurationMs)} | ${money(maxCostUsd)} |`;
  });
  const { maxAgents, maxCostUsd } = settings.repositoryPerDay;
  const all =
    totals.would === 0
      ? ""
      : ` The agents on the last ${lines.length} issues would have worked, together, ${most(totals.mostUsd ?? undefined)}.`;
  return [
    "An agent that reaches a limit stops and asks. The operator pays for the model.",
    ["| role | turns | time at work | cost |", "|---|---|---|---|", ...rows].join("\n"),
    `In one day at most ${maxAgents} agents start in this repository, ${most(maxCostUsd)}.${all}`,
  ].join("\n\n");
}

const most = (usd: number | undefined) =>
  usd === undefined ? "without a limit of cost" : `for at most ${money(usd)}`;

const money = (usd: number | undefined) => (usd === undefined ? "no limit" : dollars(microUsd(usd)));
