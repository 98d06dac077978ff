import { expect, it } from "vitest";
import { proposalWords } from "../../../src/domain/onboarding/onboarding-words.ts";
import { type ProposalFacts, proposalState } from "../../../src/domain/onboarding/proposal-state.ts";
import { isProposalBranch, proposalBranch } from "../../../src/domain/onboarding/proposed.ts";
import { branchIssue } from "../../../src/domain/tasks/branch-name.ts";
import { aPerson } from "../../factories/an-occurrence.ts";

const BOT = 41;

const aPull = (number: number, overrides: Partial<ProposalFacts["pulls"][number]> = {}) => ({
  number,
  url: `https://github.example/acme/shop/pull/${number}`,
  state: "closed" as const,
  merged: false,
  author: aPerson("flotilla[bot]", { id: BOT }),
  headRef: "flotilla/configure",
  ...overrides,
});

function proposed(facts: Partial<ProposalFacts>, { again = false, level = "pr" as const } = {}) {
  return proposalState({ archived: false, file: false, pulls: [], ...facts }, { level, botId: BOT, again });
}

function words(given: Parameters<typeof proposalWords>[0]): string {
  const { why, hint } = proposalWords(given, "acme/shop");
  return `${why}: ${hint}`;
}

it("is free where nothing stands in the way, from the first branch", () => {
  expect(proposed({})).toEqual({ kind: "free", branch: "flotilla/configure" });
});

it("of an archived repository is that, whatever else there is", () => {
  expect(proposed({ archived: true, file: true }, { again: true })).toEqual({ kind: "archived" });
});

it("tells that the file is there, and by which pull request of ours", () => {
  expect(proposed({ file: true }, { again: true })).toEqual({ kind: "there", merged: null });
  const merged = aPull(4, { merged: true });
  expect(proposed({ file: true, pulls: [merged] })).toEqual({ kind: "there", merged });
});

it("finds the one that is open, also when it is asked for again", () => {
  const open = aPull(6, { state: "open", headRef: "flotilla/configure-again" });
  expect(proposed({ pulls: [aPull(4), open] }, { again: true })).toEqual({ kind: "open", pull: open });
});

it("remembers that people closed the last one, until it is asked for again", () => {
  const pulls = [aPull(4), aPull(9, { headRef: "flotilla/configure-again" })];
  expect(proposed({ pulls })).toEqual({ kind: "declined", pull: pulls[1] });
  expect(proposed({ pulls }, { again: true })).toEqual({
    kind: "free",
    branch: "flotilla/configure-again-again",
  });
});

it("remembers that they merged it and took the file away since", () => {
  const pulls = [aPull(4, { merged: true })];
  expect(proposed({ pulls })).toEqual({ kind: "removed", pull: pulls[0] });
  expect(proposed({ pulls }, { again: true })).toMatchObject({ kind: "free" });
});

it.each(["observe", "comment"] as const)("needs another level than %s", (level) => {
  const facts = { archived: false, file: false, pulls: [] };
  expect(proposalState(facts, { level, botId: BOT, again: false })).toEqual({ kind: "level", level });
  expect(proposalState(facts, { level: "draft", botId: BOT, again: false })).toMatchObject({
    kind: "free",
  });
});

it("leaves a person's pull request of that branch alone, and is in nobody's way once it is closed", () => {
  const pull = aPull(5, { author: aPerson("eve"), state: "open" });
  expect(proposed({ pulls: [pull] })).toEqual({ kind: "foreign", pull, branch: "flotilla/configure" });
  expect(proposed({ pulls: [{ ...pull, state: "closed" }] })).toMatchObject({ kind: "free" });
  expect(proposed({ pulls: [pull, aPull(4)] }, { again: true })).toMatchObject({ kind: "free" });
});

it("says of each what stands in the way and what to do next", () => {
  const pull = aPull(4);
  expect(words({ kind: "archived" })).toBe("acme/shop is archived: unarchive it, then ask again");
  expect(words({ kind: "there", merged: null })).toContain("on its default branch: nothing to propose");
  expect(words({ kind: "there", merged: pull })).toContain("on its default branch, merged as #4: nothing");
  expect(words({ kind: "foreign", pull, branch: "b" })).toContain(
    "somebody else's, from b: close or merge it",
  );
  expect(words({ kind: "level", level: "comment" })).toContain("is comment, at which no pull request leaves");
  expect(words({ kind: "declined", pull })).toContain(
    "/pull/4 was closed without merging: `flotilla onboard acme/shop --again`",
  );
  expect(words({ kind: "removed", pull })).toContain(
    "removed from the default branch since: `flotilla onboard",
  );
});

it("names its branches so that no pattern of agents' branches takes them for an issue's", () => {
  const names = [1, 2, 3].map(proposalBranch);
  expect(names.map(isProposalBranch)).toEqual([true, true, true]);
  expect(
    ["flotilla/configure-2", "flotilla/configured", "x/flotilla/configure"].map(isProposalBranch),
  ).toEqual([false, false, false]);
  for (const pattern of ["flotilla/{role}-{number}", "{role}/{number}", "flotilla/{role}/issue-{number}"])
    expect(names.map((name) => branchIssue(pattern, name))).toEqual([undefined, undefined, undefined]);
});
