import type { TrialRun } from "../../../src/domain/trial/trial-case.ts";
import type { TrialAims, TrialArm, TrialLineOf, Work } from "../../../src/domain/trial/trial-line.ts";

export const GOOD: TrialArm = { agent: "copilot", model: "gpt-4.1" };
export const OTHER: TrialArm = { agent: "claude", model: "anthropic/sonnet" };

export const aims = (given: Partial<TrialAims> = {}): TrialAims => ({
  repository: "acme/shop",
  arms: [GOOD],
  role: "bug-fix",
  roleDigest: "d1",
  setup: [],
  tests: ["npm test"],
  ...given,
});

export const begun = (given: Partial<TrialAims> = {}): TrialLineOf<"trial"> => ({
  kind: "trial",
  version: 1,
  at: "2026-05-04T03:02:01Z",
  aims: aims(given),
});

export const commitOf = (number: number): string => String(number).padStart(40, "0");

export const aCase = (issue: number): TrialLineOf<"case"> => ({
  kind: "case",
  case: {
    issue,
    title: `Issue ${issue}`,
    body: "It says `helo`.",
    author: "octocat",
    comments: [{ author: "mona", body: "Here too.", at: "2026-01-01T00:00:00Z" }],
    pull: issue + 1,
    base: commitOf(issue),
    change: commitOf(issue + 1),
    tests: ["test/greeting.test.ts"],
  },
  measure: { mended: ["greets"], kept: ["parts"] },
  diff: "+hello\n",
});

export const aWork = (given: Partial<Work> = {}): Work => ({
  end: "completed",
  turns: 10,
  tokensIn: 900,
  tokensOut: 100,
  cost: 0.5,
  seconds: 60,
  head: commitOf(7),
  reason: "Done.",
  ...given,
});

export function aRun(issue: number, given: Partial<TrialRun> = {}): TrialLineOf<"run"> {
  const { reason, ...counts } = aWork();
  const run = { issue, ...GOOD, attempt: 1, ...counts, solved: true, broken: 0, ...given };
  return { kind: "run", run, diff: "+hello\n", reason, output: "ok\n" };
}

/** The lines of a run that began, was paid and was judged. */
export function wholeRun(issue: number, given: Partial<TrialRun> = {}) {
  const line = aRun(issue, given);
  const { agent, model, attempt, solved: _, broken: __, ...counts } = line.run;
  const { issue: ___, ...work } = counts;
  const of = { issue, agent, model, attempt };
  return [
    { kind: "started", ...of } as const,
    { kind: "worked", ...of, work: { ...work, reason: line.reason } } as const,
    line,
  ];
}
