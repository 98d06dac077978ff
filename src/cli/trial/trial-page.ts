import { type Html, html } from "../../demo/github/render/html.ts";
import { printableLine } from "../../domain/messages/printable.ts";
import { type ArmResult, armsCompared, type Comparison, resultsOf } from "../../domain/trial/results.ts";
import type { TrialLineOf } from "../../domain/trial/trial-line.ts";
import { armKey, countedRuns, type TrialState } from "../../domain/trial/trial-state.ts";
import { TRIAL_STYLE } from "./trial-style.ts";
import { endSentences, RESULT_HEAD, resultRows } from "./trial-text.ts";
import {
  armWords,
  comparisonTitle,
  comparisonWords,
  END_WORDS,
  FLIP_WORDS,
  LEFT_OUT_WORDS,
  quartileWords,
  usd,
} from "./trial-words.ts";

/**
 * Returns the page of a trial: one file that loads nothing and runs nothing. All that comes from the repository and from
 * agents is text; a diff's line that would hide itself is written out.
 */
export function trialPage(state: TrialState, against: readonly Comparison[] | null): string {
  const { aims, cases, leftOut } = state;
  const title = `Trial on ${aims.repository}`;
  const head = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${title}</title><style>${{ html: TRIAL_STYLE }}</style></head>`;
  return html`${head}<body><main><h1>${title}</h1>
<p>${cases.length} cases, ${leftOut.length} issues left out. Role ${aims.role}. Begun ${state.begun.slice(0, 10)}. Spent ${usd(state.spent)}.</p>
<h2>Results</h2>${resultTable(state)}${endSentences(state).map((sentence) => html`<p>${sentence}</p>`)}
<p class="note">An interval says where the true share lies with 95 % certainty (Wilson). Medians are followed by their quartiles.</p>
${comparisons(state, against)}
<h2>Cases</h2>${cases.map((one) => caseSection(state, one))}
<h2>Issues left out</h2>${leftOutTable(state)}
<h2>How this was measured</h2>${commandList("Setup", aims.setup)}${commandList("Tests", aims.tests)}
<p>Each agent worked on the commit before the real work began, with the issue's text of that time. A case is solved if the tests of the real pull request pass on what the agent handed in.</p>
</main></body></html>\n`.html;
}

function resultTable(state: TrialState): Html {
  const results = resultsOf(state);
  const rows = resultRows(state);
  return html`<div class="wide"><table><thead><tr>${RESULT_HEAD.map((name) => html`<th scope="col">${sentenceCase(name)}</th>`)}</tr></thead>
<tbody>${rows.map((row, index) => html`<tr>${row.map((cell, column) => html`<td>${cell}${column === 3 ? intervalBar(results[index]) : ""}</td>`)}</tr>`)}</tbody></table></div>`;
}

const sentenceCase = (name: string): string => name.slice(0, 1) + name.slice(1).toLowerCase();

/** Draws the share and its interval on a line from 0 to 1. */
function intervalBar(result: ArmResult | undefined): Html {
  if (result === undefined || result.solved.of === 0) return html``;
  const { share, low, high } = result.solved;
  return html`<svg class="bar" viewBox="-4 0 128 10" role="img" aria-label="Share with its interval, from 0 to 100 %"><path class="rail" d="M0 5H120"/><path class="span" d="M${at(low)} 5H${at(high)}"/><circle cx="${at(share)}" cy="5" r="4"/></svg>`;
}

const at = (part: number): string => (part * 120).toFixed(1);

function comparisons(state: TrialState, against: readonly Comparison[] | null): Html {
  const own = armsCompared(state).map((one) => comparisonSection(one, false));
  const older = (against ?? []).map((one) => comparisonSection(one, true));
  return own.length + older.length === 0 ? html`` : html`<h2>Comparisons</h2>${[...own, ...older]}`;
}

function comparisonSection(comparison: Comparison, isOlder: boolean): Html {
  const { flips } = comparison;
  const list = flips.map(
    ({ issue, title: of, to }) => html`<li>${FLIP_WORDS[to]}: #${issue} ${printableLine(of)}</li>`,
  );
  return html`<section><h3>${comparisonTitle(comparison, isOlder)}</h3>${comparisonWords(comparison).map((sentence) => html`<p>${sentence}</p>`)}${list.length === 0 ? "" : html`<ul>${list}</ul>`}</section>`;
}

function caseSection(state: TrialState, { case: of, diff }: TrialLineOf<"case">): Html {
  const all = countedRuns(state).filter(({ run }) => run.issue === of.issue);
  const runs = state.aims.arms.flatMap((arm) => all.find(({ run }) => armKey(run) === armKey(arm)) ?? []);
  const marks = runs.map(
    ({ run }) =>
      html` <span class="${run.solved ? "yes" : "no"}">${armWords(run)}: ${run.solved ? "solved" : "not solved"}</span>`,
  );
  return html`<details><summary>#${of.issue} ${printableLine(of.title)}${marks}</summary>
<p>Pull request #${of.pull}, from <code>${of.base.slice(0, 12)}</code> to <code>${of.change.slice(0, 12)}</code>. Its tests: ${of.tests.map((path) => html`<code>${printableLine(path)}</code> `)}</p>
<div class="beside"><section><h3>The real change</h3>${diffOf(diff)}</section>${runs.map(runSection)}</div></details>`;
}

function runSection({ run, reason, diff, output }: TrialLineOf<"run">): Html {
  const broken = run.broken === null ? "" : `, broke ${run.broken} tests`;
  const used = `${usd(run.cost)}, ${run.turns} turns, ${quartileWords("tokens", only(run.tokensIn + run.tokensOut))} tokens, ${quartileWords("seconds", only(run.seconds))}`;
  return html`<section><h3>${armWords(run)}: ${run.solved ? "solved" : "not solved"}</h3>
<p>It ${END_WORDS[run.end]}${broken}. ${used}.</p>${reason === "" ? "" : html`<p>${printableLine(reason)}</p>`}
${diff === "" ? html`<p>It changed nothing.</p>` : diffOf(diff)}${output === "" ? "" : html`<details><summary>Output of the tests</summary><pre>${output.split("\n").map((line) => `${shown(line)}\n`)}</pre></details>`}</section>`;
}

const only = (value: number) => ({ low: value, median: value, high: value });

/** Tabs keep their width; what would hide itself, or turn a line around, is written out. */
const shown = (line: string): string => printableLine(line.replaceAll("\t", "    "));

function diffOf(diff: string): Html {
  const lines = diff.replace(/\n$/, "").split("\n");
  return html`<pre>${lines.map((line) => html`<span class="${classOf(line)}">${shown(line)}</span>\n`)}</pre>`;
}

function classOf(line: string): string {
  if (/^(?:diff |index |--- |\+\+\+ |@@ )/.test(line)) return "head";
  if (line.startsWith("+")) return "add";
  return line.startsWith("-") ? "del" : "";
}

function leftOutTable({ leftOut }: TrialState): Html {
  if (leftOut.length === 0) return html`<p>None.</p>`;
  return html`<div class="wide words"><table><thead><tr><th scope="col">Issue</th><th scope="col">Why</th><th scope="col">More</th></tr></thead>
<tbody>${leftOut.map(({ issue, reason, detail }) => html`<tr><td>#${issue}</td><td>${LEFT_OUT_WORDS[reason]}</td><td>${printableLine(detail)}</td></tr>`)}</tbody></table></div>`;
}

function commandList(name: string, commands: readonly string[]): Html {
  if (commands.length === 0) return html``;
  return html`<p>${name}: ${commands.map((command) => html`<code>${printableLine(command)}</code> `)}</p>`;
}
