import { expect, it } from "vitest";
import type { Intent } from "../../../src/domain/ports/tool-host.ts";
import {
  safeEvaluation,
  safeHandoff,
  safeIntent,
  safeOutput,
  safePlan,
  safeQuestion,
  safeReason,
  safeVerdict,
} from "../../../src/domain/sessions/safe-outputs.ts";

const SPEAKER = { site: "https://github.com", issue: 42 };

const INTENTS: readonly Exclude<Intent, { kind: "ask_human" | "submit_verdict" }>[] = [
  { kind: "report_blocked", blocker: 4, reason: "r" },
  { kind: "report_blocked", blocker: 4, repository: "o/r", reason: "r" },
  { kind: "report_blocked", cause: "replanning", reason: "r" },
  { kind: "report_complete", summary: "s" },
  { kind: "request_review", summary: "s" },
  { kind: "escalate_to_human", reason: "r", category: "c", question: null },
  { kind: "escalate_to_human", reason: "r", category: "c", question: "q" },
];

it.each(INTENTS)("an intent that says nothing unsafe stays as it is: %j", (intent) => {
  expect(safeIntent(intent, SPEAKER)).toEqual(intent);
});

it("the pull request of an agent closes its own issue, and no comment of its does", () => {
  const body = "Closes #42";
  expect(safeOutput({ kind: "open_pr", title: "t", body }, SPEAKER)).toMatchObject({ body });
  expect(safeOutput({ kind: "comment", body }, SPEAKER)).toEqual({ kind: "comment", body: "Closes `#42`" });
  expect(safeOutput({ kind: "commit", message: body }, SPEAKER)).toEqual({ kind: "commit", message: body });
});

it("the text of a pull request leaves room for the host's facts", () => {
  const pull = safeOutput({ kind: "open_pr", title: "t", body: "a ".repeat(30_000) }, SPEAKER);
  expect(JSON.stringify(pull).length).toBeLessThan(40_100);
});

it("labels and names are one line without what nobody sees", () => {
  expect(safeOutput({ kind: "label", label: " flot\u200billa:\n x " }, SPEAKER)).toEqual({
    kind: "label",
    label: "flotilla: x",
  });
  const issue = { kind: "create_blocker_issue", title: "t", body: "b", labels: ["a\u200b"] } as const;
  expect(safeOutput(issue, SPEAKER)).toEqual({ ...issue, labels: ["a"] });
  const part = { kind: "create_sub_issue", title: "t", body: "b", role: null, after: [3] } as const;
  expect(safeOutput(part, SPEAKER)).toEqual(part);
});

it("the options of a question stay alike, so that the recommended one is still one of them", () => {
  const asked = { question: "q", deadline: null, who: null, recommended: "a\u200b", default: null };
  expect(safeQuestion({ ...asked, options: [{ name: "a\u200b", destructive: false }] }, SPEAKER)).toEqual({
    ...asked,
    recommended: "a",
    options: [{ name: "a", destructive: false }],
  });
});

it("a verdict keeps its paths and commands, which are compared", () => {
  const comments = [{ path: "@a/b.ts", line: 3, body: "ask @bob" }];
  const given = {
    commit: "c",
    verdict: "reject",
    body: "@bob",
    comments,
    evidence: ["npm test @a"],
  } as const;
  expect(safeVerdict(given, SPEAKER)).toEqual({
    ...given,
    body: "`@bob`",
    comments: [{ path: "@a/b.ts", line: 3, body: "ask `@bob`" }],
  });
});

it("what only models read is as people would see it", () => {
  expect(safePlan("a\u200b @bob")).toBe("a @bob");
  expect(safeHandoff({ summary: "a\u200b", nextAction: "b\u200b" })).toEqual({
    summary: "a",
    nextAction: "b",
  });
  expect(safeEvaluation({ confidence: 0.5, reason: "@bob" }, SPEAKER)).toEqual({
    confidence: 0.5,
    reason: "`@bob`",
  });
  expect(safeReason("@bob", SPEAKER)).toBe("`@bob`");
});
