import { expect, it } from "vitest";
import {
  setupFailureMessage as markedSetupNews,
  setupQuestion,
  setupReason,
} from "../../../src/domain/conversation/setup-failure.ts";
import { plain } from "../text/plain.ts";

const setupNews = plain(markedSetupNews);

const failed = { command: "npm ci", exitCode: 1, timedOut: false, output: "ENOTFOUND registry\n" };

it("names the command and how it ended, and shows a person the end of its output", () => {
  expect(setupReason(failed)).toContain("`npm ci` failed (exit code 1)");
  expect(setupQuestion(failed)).toContain("    ENOTFOUND registry");
  expect(setupQuestion({ ...failed, output: "" })).toMatch(/resume\.$/);
});

it("tells the model what may be the cause", () => {
  expect(setupNews(failed)).toMatch(
    /^A lock file or an environment variable changed.*\n\n {4}ENOTFOUND registry$/s,
  );
  expect(setupNews({ ...failed, output: "" })).toMatch(/you report\.$/);
});
