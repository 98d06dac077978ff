import { expect, it } from "vitest";
import {
  setupFailureMessage as markedSetupNews,
  outputWithRefusals,
  setupQuestion,
  setupReason,
} from "../../../src/domain/conversation/setup-failure.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { plain } from "../text/plain.ts";

const setupNews = plain(markedSetupNews);

const failed = {
  command: "npm ci",
  exitCode: 1,
  timedOut: false,
  output: "ENOTFOUND registry\n",
  refusedHosts: [],
  refusals: [],
};
const refused = { ...failed, refusedHosts: ["files.example.com"] };
const { setup } = someSettings();

it("names the command and how it ended, and shows a person the end of its output", () => {
  expect(setupReason(failed)).toContain("`npm ci` failed (exit code 1)");
  expect(setupQuestion(failed, setup)).toContain("    ENOTFOUND registry");
  expect(setupQuestion({ ...failed, output: "" }, setup)).toMatch(/resume`\.$/);
});

it("says what our own proxy refused, and who can permit it", () => {
  expect(setupQuestion(refused, setup)).toContain(
    "Flotilla's proxy refused `files.example.com`: the operator can add it to `setup.network`, or to `setup.repositories_may.hosts`",
  );
  const repositoriesMay = { commands: true, services: true, hosts: ["files.example.com"] };
  expect(setupQuestion(refused, { ...setup, repositoriesMay })).toContain(
    "Flotilla's proxy refused `files.example.com`: add it to `setup.network` in `.github/flotilla.yml`, which the operator permits.",
  );
  expect(setupNews(refused)).toContain("Flotilla's proxy refused `files.example.com`");
});

it("adds what the proxy refused to the output that is kept", () => {
  const line = "Flotilla's proxy refused `files.example.com`: only the hosts of setup.network are permitted.";
  expect(outputWithRefusals(refused)).toBe(`ENOTFOUND registry\n${line}`);
  expect(outputWithRefusals({ ...refused, output: "" })).toBe(line);
  expect(outputWithRefusals(failed)).toBe(failed.output);
});

it("says to people and the model why a registry gave nothing", () => {
  const why =
    "The registry `https://npm.example.com/` refuses Flotilla's token (401): the operator has to act.";
  const without = { ...failed, refusals: [why] };
  expect(setupQuestion(without, setup)).toContain(` ${why} `);
  expect(setupNews(without)).toContain(` ${why} `);
  expect(outputWithRefusals(without)).toBe(`ENOTFOUND registry\n${why}`);
});

it("tells the model what may be the cause", () => {
  expect(setupNews(failed)).toMatch(
    /^A lock file or the repository's setup changed.*\n\n {4}ENOTFOUND registry$/s,
  );
  expect(setupNews({ ...failed, output: "" })).toMatch(/you report\.$/);
});
