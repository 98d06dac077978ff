import { expect, it } from "vitest";
import { boundedTrial, trialSchema } from "../../src/server/onboarding/trial-request.ts";
import { aTriedCommand } from "../factories/a-tried-command.ts";

const long = "x".repeat(20_000);
const many = Array.from({ length: 100 }, () => long);

it("a trial of any size is cut to what the control socket takes", () => {
  const failed = aTriedCommand(long, {
    exitCode: 1,
    output: `${long}the end\n`,
    refusedHosts: many,
    refusals: many,
    notRun: { what: long, next: long },
  });
  const trial = boundedTrial({ kind: "tried", commands: Array.from({ length: 100 }, () => failed) });
  expect(trialSchema.parse(trial)).toEqual(trial);
  expect(trial).toMatchObject({ commands: { 29: { output: expect.stringMatching(/xthe end$/) } } });
  const hindered = boundedTrial({ kind: "hindered", why: long });
  expect(trialSchema.parse(hindered)).toEqual(hindered);
});

it("a trial is sent as it was, but for what commands print that succeed", () => {
  const failed = aTriedCommand("npm ci", { exitCode: null, timedOut: true, output: "begun" });
  const green = aTriedCommand("npm test", { kind: "acceptance", output: "ok" });
  expect(boundedTrial({ kind: "tried", commands: [failed, green] })).toEqual({
    kind: "tried",
    commands: [failed, { ...green, output: "" }],
  });
  expect(boundedTrial({ kind: "skipped" })).toEqual({ kind: "skipped" });
});
