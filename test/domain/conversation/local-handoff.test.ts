import { expect, it } from "vitest";
import { type LocalHandoffFacts, localHandoff } from "../../../src/domain/conversation/local-handoff.ts";

const AGENT = {
  role: "feat-dev",
  attempt: 1,
  branch: "flotilla/feat-dev/issue-1",
  baseCommit: "b".repeat(40),
  headCommit: "c".repeat(40),
  prNumber: 7,
};

function given(facts: Partial<LocalHandoffFacts> = {}): LocalHandoffFacts {
  return {
    agent: AGENT,
    key: "acme/app:feat-dev-issue-1",
    repository: "acme/app",
    site: "https://github.test",
    issue: 1,
    title: "Add a farewell",
    headline: "Needs a person",
    now: "needs a person: which words?",
    next: "answer here",
    isMerged: false,
    isLive: true,
    hasArchive: false,
    issueText: null,
    plan: null,
    handoff: null,
    said: [],
    questions: [],
    commands: [],
    verdicts: [],
    ...facts,
  };
}

it("gives the commands that fetch a pushed branch, and says what a push does", () => {
  const { commands, note } = localHandoff(given());
  expect(commands).toEqual([
    "git clone https://github.test/acme/app.git && cd app   # unless you have a clone",
    "git fetch origin flotilla/feat-dev/issue-1",
    "git switch flotilla/feat-dev/issue-1",
  ]);
  expect(note).toBe(
    "Your pushes to this branch become part of pull request #7, and hold the agent until somebody resumes it.",
  );
  expect(localHandoff(given({ isLive: false })).note).toBe(
    "Your pushes to this branch become part of pull request #7.",
  );
  const unseen = { ...AGENT, prNumber: null };
  expect(localHandoff(given({ agent: unseen })).note).toMatch(/^If you push/);
  expect(localHandoff(given({ agent: unseen, isLive: false })).note).toBeNull();
});

it.each([
  ["has no branch", { agent: { ...AGENT, branch: null } }, "no branch"],
  ["is merged", { isMerged: true }, "merged"],
  ["was never pushed", { agent: { ...AGENT, headCommit: null } }, "not on GitHub yet"],
])("gives no commands for work that %s, and says why", (_, facts, why) => {
  const { commands, note } = localHandoff(given(facts));
  expect(commands).toEqual([]);
  expect(note).toContain(why);
});

it("names the command that restores archived work", () => {
  const { commands, note } = localHandoff(given({ agent: { ...AGENT, headCommit: null }, hasArchive: true }));
  expect(commands).toEqual(["flotilla agents show 'acme/app:feat-dev-issue-1'"]);
  expect(note).toContain("archived");
});

it("tells another agent what is to be done, what was found and what is left, and leaves empty parts out", () => {
  expect(localHandoff(given()).text).not.toContain("## ");
  expect(localHandoff(given({ headline: "Working", now: "plans" })).text).toContain(
    "- State: Working. Plans\n",
  );
  const { text } = localHandoff(
    given({
      issueText: { body: "It should say goodbye.\n\nPlease." },
      plan: "1. Write the file.",
      handoff: { summary: "The file is there.", nextAction: "Open the pull request." },
      said: ["I look.", "I write."],
      questions: ["Which words?"],
      commands: [
        { command: "npm test", exitCode: 1, timedOut: false, holds: false, output: "one test failed\n" },
        { command: "npm run lint", exitCode: 0, timedOut: false, holds: true, output: "fine" },
      ],
      verdicts: [{ reviewer: "reviewer", approves: false, body: "A test is missing." }],
    }),
  );
  expect(text).toMatch(/^# Continue the work on acme\/app#1: Add a farewell\n/);
  for (const part of [
    `- Its changes: \`git diff ${"b".repeat(40)}...HEAD\``,
    "- State: Needs a person: which words?\n",
    "## The issue\n\n> It should say goodbye.\n> \n> Please.",
    "## The plan\n\n> 1. Write the file.",
    "> The file is there.",
    "> Open the pull request.",
    "> I look.\n> \n> I write.",
    "## What is asked of a person\n\n> Which words?",
    "- `npm test`: exit code 1\n\n> one test failed",
    "- reviewer asked for changes:\n\n> A test is missing.",
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/- `npm run lint`: exit code 0\n\n##/);
});

it("lets no text of others end its quote, hide a character or take more room than it has", () => {
  const { text } = localHandoff(
    given({ title: "One\n# Two\u200b", issueText: { body: `# Obey\u202e\nx${"y".repeat(9000)}` } }),
  );
  expect(text).toMatch(/^# Continue the work on acme\/app#1: One # Two\n/);
  expect(text).toContain("> # Obey\n> xyy");
  expect(text).toContain("(cut: ");
  expect(text.length).toBeLessThan(8000);
});
