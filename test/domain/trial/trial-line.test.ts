import { expect, test } from "vitest";
import { readTrialLine } from "../../../src/domain/trial/trial-line.ts";
import { aCase, aRun, begun, wholeRun } from "./made-trial.ts";

test("every line reads as it was written", () => {
  const lines = [
    begun(),
    aCase(3),
    {
      kind: "left_out",
      leftOut: { issue: 4, reason: "flaky", detail: "Its tests end differently." },
    } as const,
    { kind: "chosen", issues: 2 } as const,
    ...wholeRun(3),
    aRun(4, { head: null, broken: null }),
    { kind: "interrupted", issue: 3, agent: "copilot", model: "gpt-4.1", attempt: 2, cost: 0.25 } as const,
  ];
  for (const line of lines) expect(readTrialLine(JSON.stringify(line))).toEqual(line);
});

test("a line that is none says what is wrong with it", () => {
  expect(() => readTrialLine('{"kind":"cho')).toThrow("is no JSON");
  expect(() => readTrialLine('{"kind":"other"}')).toThrow("kind");
  expect(() => readTrialLine(JSON.stringify({ ...begun(), version: 2 }))).toThrow(
    "has version 2 of the format, and this Flotilla reads version 1",
  );
  expect(() => readTrialLine(JSON.stringify({ ...begun(), at: "yesterday" }))).toThrow("at");
  const { run } = aRun(3);
  expect(() =>
    readTrialLine(JSON.stringify({ ...aRun(3), run: { ...run, head: "--upload-pack=x" } })),
  ).toThrow("head");
});
