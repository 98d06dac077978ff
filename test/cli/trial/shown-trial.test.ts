import { expect, test } from "vitest";
import { printerTo } from "../../../src/cli/printer.ts";
import { trialPage } from "../../../src/cli/trial/trial-page.ts";
import { newsLine, printTrial, resultRows, trialJson } from "../../../src/cli/trial/trial-text.ts";
import { moreWords, quartileWords, usd } from "../../../src/cli/trial/trial-words.ts";
import { againstOlder } from "../../../src/domain/trial/results.ts";
import type { TrialLine } from "../../../src/domain/trial/trial-line.ts";
import { stateOf, type TrialState } from "../../../src/domain/trial/trial-state.ts";
import { aCase, aRun, begun, GOOD, OTHER, wholeRun } from "../../domain/trial/made-trial.ts";

function stateFrom(...lines: readonly TrialLine[]): TrialState {
  const state = stateOf(lines);
  if (state === null) throw new Error("no state");
  return state;
}

const UNSOLVED = { solved: false, broken: null, end: "escalated" } as const;

const TWO_ARMS = stateFrom(
  begun({ arms: [GOOD, OTHER] }),
  ...[1, 2, 3].map(aCase),
  { kind: "left_out", leftOut: { issue: 8, reason: "flaky", detail: "`parts` passes once." } },
  { kind: "left_out", leftOut: { issue: 9, reason: "flaky", detail: "`greets` passes once." } },
  { kind: "left_out", leftOut: { issue: 7, reason: "no_tests", detail: "It changes text." } },
  ...wholeRun(1, { cost: 0.2, broken: 1 }),
  ...wholeRun(2, { cost: 0.4 }),
  ...wholeRun(3, { ...UNSOLVED, cost: 0.6, tokensIn: 2_000_000 }),
  ...wholeRun(1, { ...OTHER, cost: 1.2, seconds: 300 }),
  ...wholeRun(2, { ...OTHER, ...UNSOLVED, cost: 2 }),
  ...wholeRun(3, { ...OTHER, end: "out_of_budget", solved: false }),
);

function printed(state: TrialState, against: Parameters<typeof printTrial>[2] = null): readonly string[] {
  const lines: string[] = [];
  printTrial(
    printerTo((line) => void lines.push(line)),
    state,
    against,
  );
  return lines;
}

test("the table has shares with their interval, medians with their quartiles, and what a solved case costs", () => {
  expect(resultRows(TWO_ARMS)).toEqual([
    [
      "copilot",
      "gpt-4.1",
      "2 of 3 (67 %)",
      "21 – 94 %",
      "$0.40 ($0.30 – $0.50)",
      "$0.60",
      "1 of 2",
      "10",
      "1 k (1 k – 1.0 M)",
      "1 min",
    ],
    [
      "claude",
      "anthropic/sonnet",
      "1 of 2 (50 %)",
      "9 – 91 %",
      "$1.60 ($1.40 – $1.80)",
      "$3.20",
      "0 of 1",
      "10",
      "1 k",
      "3 min (2 min – 4 min)",
    ],
  ]);
  expect(resultRows(stateFrom(begun()))).toEqual([
    ["copilot", "gpt-4.1", "none yet", "", "", "", "not known", "", "", ""],
  ]);
});

test("the terminal shows what was left out, how runs ended, and how the arms compare", () => {
  const lines = printed(TWO_ARMS);
  expect(lines[0]).toBe("acme/shop: 3 cases, 3 issues left out. Role bug-fix. Spent: $4.90.");
  expect(lines[1]).toBe("  left out: 2 × its tests end differently each time");
  expect(lines).toContain("copilot (gpt-4.1): 2 handed in, 1 gave up or asked a person.");
  expect(lines).toContain("1 run ended for want of budget and does not count.");
  expect(lines).toContain("claude (anthropic/sonnet) against copilot (gpt-4.1)");
  expect(lines).toContain(
    "  1 ended differently: 0 better, 1 worse. Chance alone splits them as unevenly in 100 % of such trials: this does not show which one is better.",
  );
  expect(lines).toContain("  no longer solved: #2 Issue 2");
});

test("a comparison with an older trial says how sure it is", () => {
  const issues = Array.from({ length: 8 }, (_, index) => index + 1);
  const older = stateFrom(
    begun(),
    ...issues.map(aCase),
    ...issues.flatMap((issue) => wholeRun(issue, UNSOLVED)),
  );
  const state = stateFrom(
    begun(),
    ...issues.map(aCase),
    ...issues.flatMap((issue) => wholeRun(issue, { cost: 0.75 })),
  );
  const lines = printed(state, againstOlder(older, state));
  expect(lines).toContain("copilot (gpt-4.1) against copilot (gpt-4.1) of the older trial");
  expect(lines).toContain(
    "  Of the 8 cases that both were tried on it solved 8, against 0: +100 points (95 %: +54 to +100).",
  );
  expect(lines).toContain(
    "  8 ended differently: 8 better, 0 worse. Chance alone splits them as unevenly in less than 1 % of such trials.",
  );
  expect(lines).toContain("  In the median a case took more: cost +$0.25; turns 0; tokens 0; time 0 s.");
  const other = { agent: "qwen", model: "qwen" };
  expect(printed(state, againstOlder(stateFrom(begun({ arms: [OTHER, other] })), state)).at(-1)).toContain(
    "nothing to compare",
  );
  expect(printed(stateFrom(begun({ arms: [GOOD, OTHER] })))).toContain("  No case was tried by both yet.");
  expect(printed(state, againstOlder(state, state)).join("\n")).toContain("Each case ended alike.");
});

test("numbers keep their sign and what is small is not nothing", () => {
  expect([usd(0), usd(0.001), usd(-0.001), usd(-1.5), usd(-0.00001)]).toEqual([
    "$0.00",
    "$0.0010",
    "−$0.0010",
    "−$1.50",
    "$0.00",
  ]);
  expect(moreWords("turns", { low: -3.2, median: 0.2, high: 2 })).toBe("0 (−3 – +2)");
  expect(quartileWords("turns", { low: -3.2, median: -1, high: 2 })).toBe("−1 (−3 – 2)");
  expect(quartileWords("tokens", { low: -2000, median: 12, high: 999_600 })).toBe("12 (−2 k – 1.0 M)");
  expect(quartileWords("seconds", { low: -90, median: 1, high: 7200 })).toBe("1 s (−1 min – 2 h)");
});

test("news are one line each", () => {
  const { run } = aRun(4, { cost: 0.41, turns: 1 });
  const at = { done: 2, of: 6, reason: "" };
  expect(newsLine({ kind: "run", run, ...at })).toBe("[2/6] #4 copilot (gpt-4.1): solved; $0.41, 1 turn");
  expect(newsLine({ kind: "run", run: { ...run, solved: false }, ...at })).toContain("): not solved; $");
  expect(newsLine({ kind: "run", run: { ...run, ...UNSOLVED }, ...at })).toContain(
    "not solved: gave up or asked a person",
  );
  expect(newsLine({ kind: "case", candidate: { kind: "case", case: aCase(5).case }, done: 1, of: 2 })).toBe(
    "[1/2] #5 Issue 5",
  );
  const leftOut = { issue: 5, reason: "no_tests", detail: "It changes text." } as const;
  expect(newsLine({ kind: "left_out", candidate: { kind: "left_out", leftOut }, done: 1, of: 2 })).toBe(
    "#5 is left out. It changes text.",
  );
});

test("the JSON has the results and no long texts", () => {
  const json = JSON.parse(JSON.stringify(trialJson(TWO_ARMS, null)));
  expect(json).toMatchObject({
    repository: "acme/shop",
    against: null,
    results: [{ solved: { count: 2, of: 3 } }, {}],
  });
  expect(JSON.stringify(json)).not.toContain("+hello");
});

test("the page runs and loads nothing, and shows foreign text as text", () => {
  const { case: of, ...more } = aCase(1);
  const bad = {
    ...more,
    case: { ...of, title: "<script>alert(1)</script>\u202e", tests: ["a\u202eb"] },
    diff: '+<img src=x onerror="x">\n+a\u202eb\tc\n',
  };
  const line = { ...aRun(1), reason: "</pre><b>", output: "<i>\n", diff: "-</pre><script>\n" };
  const page = trialPage(stateFrom(begun(), bad, line), null);
  expect(page).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).toContain('<span class="add">+a\\u202eb    c</span>');
  expect(page).toContain('<span class="del">-&lt;/pre&gt;&lt;script&gt;</span>');
  expect(page).not.toMatch(/<script|<img|<b>|<i>|\u202e|https?:/);
});

test("the page has the results, each case with both diffs, and what was left out", () => {
  const page = trialPage(TWO_ARMS, againstOlder(TWO_ARMS, TWO_ARMS));
  expect(page).toContain("<td>2 of 3 (67 %)</td>");
  expect(page.match(/<details><summary>#/g)).toHaveLength(3);
  expect(page.match(/<h3>The real change<\/h3>/g)).toHaveLength(3);
  expect(page).toContain("copilot (gpt-4.1): not solved</h3>");
  expect(page).toContain("<td>#7</td><td>its pull request changed no tests</td><td>It changes text.</td>");
  expect(page).toContain("of the older trial</h3>");
  expect(trialPage(stateFrom(begun()), null)).toContain("<p>None.</p>");
});
