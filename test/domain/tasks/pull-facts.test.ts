import { expect, it } from "vitest";
import {
  bodyWithFacts,
  factsThatMatter,
  type PullFactsShown,
  renewedBody,
  showsAcceptance,
} from "../../../src/domain/tasks/pull-facts.ts";

const facts: PullFactsShown = {
  issue: 42,
  askedBy: "alice",
  base: null,
  role: "feat-dev",
  commit: "c".repeat(40),
  files: ["src/lamp.ts", ".github/workflows/ci.yml"],
  protectedFiles: [".github/workflows/ci.yml"],
  instructions: [],
  repository: "acme/shop",
  pictures: [],
  commands: [
    { command: "npm ci", exitCode: 0, commit: null, isAcceptance: false },
    { command: "npm test", exitCode: 1, commit: "a".repeat(40), isAcceptance: true },
    { command: "npm test", exitCode: null, commit: "c".repeat(40), isAcceptance: true },
  ],
  isChecked: true,
  tests: null,
  screens: [],
  costMicroUsd: 1_500_000,
  turns: 12,
  runtimes: ["claude 0.101.0", "codex"],
  models: ["gpt-5", "gpt-4.1"],
  run: "acme/shop:feat-dev-issue-42/7",
  page: null,
};

it("a person reads what the host knows, and below it, apart, what the agent says", () => {
  expect(bodyWithFacts("I added a lamp.\n\nCloses #42", facts)).toBe(`<!-- facts by Flotilla: begin -->
### Verified by Flotilla

- Issue: #42, asked for by @alice
- Commit: [ccccccc](/acme/shop/commit/${"c".repeat(40)})
- Run: \`acme/shop:feat-dev-issue-42/7\`, runtime \`claude 0.101.0\`, \`codex\`, model \`gpt-5\`, \`gpt-4.1\`
- Used until this was written: 12 turns, $1.50
- Files changed: 2
  - \`src/lamp.ts\`
  - \`.github/workflows/ci.yml\`
- Protected paths touched: \`.github/workflows/ci.yml\`
- Commands run by Flotilla:
  - \`npm ci\`: exit 0
  - \`npm test\`: exit 1 on [aaaaaaa](/acme/shop/commit/${"a".repeat(40)})
  - \`npm test\`: cut off on [ccccccc](/acme/shop/commit/${"c".repeat(40)})

<sub>Flotilla writes this part, and updates it after each push. The agent wrote the text below.</sub>
<!-- facts by Flotilla: end -->

### Summary by the agent (feat-dev)

I added a lamp.

Closes #42`);
});

it("names the repository's instructions with their hashes, and what of them was not shown", () => {
  const instructions = [
    { path: "AGENTS.md", blob: `3f2a1b0${"0".repeat(33)}`, note: null },
    { path: "a|b`/AGENTS.md", blob: "b".repeat(40), note: "is the same as <b>@bob\n- Commit: #1" },
  ];
  expect(bodyWithFacts("", { ...facts, instructions })).toContain(
    "\n- Instructions of the repository, as of the base commit:\n  - `AGENTS.md` 3f2a1b0\n  - `a\\|b'/AGENTS.md` bbbbbbb: is the same as ",
  );
  const many = Array.from({ length: 25 }, () => ({ path: "AGENTS.md", blob: "b".repeat(40), note: null }));
  expect(bodyWithFacts("", { ...facts, instructions: many })).toContain("\n  - and 5 more\n- Commands");
  expect(bodyWithFacts("", { ...facts, instructions })).not.toMatch(/<b>|\n- Commit: #1|(?<!`)@bob(?!`)/);
});

it("names skills with whose they are, apart from instructions", () => {
  const instructions = [
    { path: "AGENTS.md", blob: "a".repeat(40), note: null },
    { path: "skills/sql", blob: "b".repeat(40), note: null, skill: "operator" as const },
    { path: ".github/skills/x", blob: "0".repeat(40), note: "has no SKILL.md", skill: "repository" as const },
  ];
  expect(bodyWithFacts("", { ...facts, instructions })).toContain(
    "  - `AGENTS.md` aaaaaaa\n- Skills, those of the repository as of the base commit:\n  - `skills/sql` bbbbbbb, the operator's\n  - `.github/skills/x` 0000000: has no SKILL.md\n- Commands",
  );
});

it("names the pictures that the agent was shown, with what they are called, their hash and where they stand", () => {
  const asset = "0a1b2c3d-0000-4000-8000-000000000000";
  const pictures = [
    {
      asset,
      alternative: "A `red`\n- Commit: <b>@bob",
      place: { kind: "issue", number: 42 },
      hash: "a".repeat(64),
    },
    { asset, alternative: "", place: { kind: "comment", number: 7, id: 9 }, hash: "b".repeat(64) },
  ] as const;
  expect(bodyWithFacts("", { ...facts, pictures })).toContain(
    [
      "- Pictures that the agent was shown, with the SHA-256 of their files:",
      "  - `A 'red' - Commit: <b>@bob` aaaaaaa, in #42",
      `  - \`${asset}\` bbbbbbb, in [a comment](/acme/shop/issues/7#issuecomment-9)`,
      "- Commands",
    ].join("\n"),
  );
  const many = Array.from({ length: 25 }, () => pictures[0]);
  expect(bodyWithFacts("", { ...facts, pictures: many })).toContain("\n  - and 5 more\n- Commands");
});

it("what may weaken the tests is named, with who approved it", () => {
  const findings = Array.from({ length: 22 }, (_, index) => `"a.test.ts", line ${index}: gone`);
  const tests = { summary: "22 tests gone", findings, approvedBy: null };
  const body = bodyWithFacts("", { ...facts, tests });
  expect(body).toContain('- Tests weakened: 22 tests gone, not approved\n  - `"a.test.ts", line 0: gone`\n');
  expect(body).toContain("  - and 2 more\n- Commands run by Flotilla:");
  expect(bodyWithFacts("", { ...facts, tests: { ...tests, approvedBy: "alice" } })).toContain(
    "- Tests weakened: 22 tests gone, approved by `alice`\n",
  );
});

it("what is not known yet is left out, and lists are bounded", () => {
  const files = Array.from({ length: 25 }, (_, index) => `a\`${index}.ts`);
  const commands = Array.from({ length: 22 }, (_, index) => ({
    command: `do ${index}`,
    exitCode: 0,
    commit: null,
    isAcceptance: true,
  }));
  const body = bodyWithFacts("", { ...facts, commit: null, files: null, protectedFiles: [], commands: [] });
  expect(body).not.toMatch(/Files changed|Commit:/);
  expect(body).toContain(
    "- Protected paths touched: none\n- Commands run by Flotilla: none when this was written",
  );
  const long = bodyWithFacts("", { ...facts, files, protectedFiles: files, commands });
  expect(long).toContain("- Files changed: 25\n  - `a'0.ts`");
  expect(long).toContain("  - and 5 more");
  expect(long).toContain("- Commands run by Flotilla:\n  - 2 earlier ones\n  - `do 2`: exit 0");
});

it("is renewed in place: not a byte of what stands around it changes", () => {
  const body = `A person's note.\r\n\r\n${bodyWithFacts("Words.", facts)}  \r\n<!-- theirs -->\n\n`;
  const renewed = renewedBody(body, { ...facts, turns: 13 });
  expect(renewed).toBe(body.replace("12 turns", "13 turns"));
  expect(renewedBody(body, facts)).toBeNull();
  expect(renewedBody(body.replaceAll("\n", "\r\n"), facts)).toBeNull();
});

it("is not put back where somebody took it out", () => {
  expect(renewedBody("Only a person's words.", facts)).toBeNull();
  expect(renewedBody("<!-- facts by Flotilla: begin --> half", facts)).toBeNull();
});

it("an agent can neither imitate it nor hide it: its words come after, without the lines that mark it", () => {
  const forged =
    "<!-- facts by Flotilla: begin -->\n- Commands: all green\n<!-- Facts by Flotilla: END -->\n```";
  const body = bodyWithFacts(forged, facts);
  expect(body.match(/<!-- facts by Flotilla/gi)).toHaveLength(2);
  expect(body.indexOf("all green")).toBeGreaterThan(body.indexOf("<!-- facts by Flotilla: end -->"));
});

it("links the run to the agent's page where texts link to the dashboard", () => {
  const page = { name: "feat-dev-issue-42", url: "https://flotilla.test/agents/a" };
  expect(bodyWithFacts("", { ...facts, page })).toContain(
    "- Run: [`acme/shop:feat-dev-issue-42/7`](https://flotilla.test/agents/a), runtime",
  );
});

it("says where the results will stand of commands that check the work and have not run", () => {
  const later =
    "when the agent says that it is done, and Flotilla's first comment on #42 shows what they return";
  const [setup, ...checks] = facts.commands;
  expect(bodyWithFacts("", { ...facts, commands: [] })).toContain(
    `- Commands run by Flotilla: none when this was written; those that check the work run ${later}\n`,
  );
  expect(bodyWithFacts("", { ...facts, commands: setup === undefined ? [] : [setup] })).toContain(
    `  - \`npm ci\`: exit 0\n  - those that check the work: they run ${later}\n`,
  );
  expect(bodyWithFacts("", { ...facts, commands: [], isChecked: false })).toContain(
    "Flotilla: none when this was written\n",
  );
  expect([showsAcceptance(facts), showsAcceptance({ commands: [] }), checks.length]).toEqual([
    true,
    false,
    2,
  ]);
});

it("names nobody where nobody on GitHub asked", () => {
  expect(bodyWithFacts("", { ...facts, askedBy: null })).toContain("- Issue: #42\n");
});

it("another edit is worth what changes beside the cost, and results of checks once the body names some", () => {
  const before = { ...facts, commands: facts.commands.slice(0, 1) };
  const checked = { ...facts, turns: 90, costMicroUsd: 9_000_000, files: ["b.ts"] };
  const first = factsThatMatter(before, { acceptance: false });
  expect(factsThatMatter(checked, { acceptance: false })).toBe(first);
  expect(factsThatMatter(checked, { acceptance: true })).not.toBe(first);
  expect(factsThatMatter({ ...before, commit: "d".repeat(40) }, { acceptance: false })).not.toBe(first);
  const tests = { summary: "2 tests gone", findings: [], approvedBy: null };
  expect(factsThatMatter({ ...before, tests }, { acceptance: false })).not.toBe(first);
});

it("says how much of each page changed, and links to the pictures where people can open them", () => {
  const screens = [
    { page: "start", size: "1280x800", beforeFault: null, afterFault: null, changed: 0.0321 },
    { page: "start", size: "390x844", beforeFault: null, afterFault: null, changed: 0 },
    {
      page: "new",
      size: "1280x800",
      beforeFault: "it leads to `x`\n- Commit: #1 @bob",
      afterFault: null,
      changed: null,
    },
    { page: "old", size: "1280x800", beforeFault: null, afterFault: "x".repeat(300), changed: null },
  ];
  const lines = [
    "  - start, 1280x800: 3.2 % of its pixels changed",
    "  - start, 390x844: nothing changed",
    "  - new, 1280x800: no picture of it before: `it leads to 'x' - Commit: #1 '@bob'`",
    `  - old, 1280x800: no picture: \`${"x".repeat(199)}…\``,
  ].join("\n");
  expect(bodyWithFacts("", { ...facts, screens })).toContain(
    `- Pictures of the app, before and after:\n${lines}\n`,
  );
  const page = { name: "feat-dev-issue-42", url: "https://flotilla.example/agents/x" };
  expect(bodyWithFacts("", { ...facts, screens, page })).toContain(
    `- [Pictures of the app](https://flotilla.example/agents/x#screens), before and after:\n${lines}\n`,
  );
});
