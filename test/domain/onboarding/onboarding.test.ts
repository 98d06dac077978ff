import { expect, it } from "vitest";
import { parse } from "yaml";
import { LEVELS } from "../../../src/domain/access/level.ts";
import { type ProposalBody, proposalBody } from "../../../src/domain/onboarding/onboarding-body.ts";
import { proposedFile } from "../../../src/domain/onboarding/onboarding-file.ts";
import { reportOf } from "../../../src/domain/reporting/report.ts";
import type { SeenIssue } from "../../../src/domain/reporting/would-do.ts";
import type { Settings } from "../../../src/domain/settings/settings.ts";
import { aRole, ROLES } from "../../factories/a-role.ts";
import { anIssue, aPerson, aRepository } from "../../factories/an-occurrence.ts";
import { HOUR } from "../../factories/moment.ts";
import { LIMITS, rolesOf, someSettings } from "../../factories/some-settings.ts";

const NPM = { command: "npm test", why: "package.json has a script test" };
const GO = { command: "go test ./...", why: "go.mod names a module" };
const SETUP = [
  {
    command: 'npm ci --cache "$FLOTILLA_CACHE/npm"',
    why: "package-lock.json is there",
    network: ["registry.npmjs.org"],
    cache: ["npm"],
    registry: "npm",
  },
] as const;
const SEEN = { setup: SETUP, run: [NPM], also: [GO] };
const NONE = { setup: [], run: [], also: [] };
const IN_FORCE = {
  commands: ['npm ci --cache "$FLOTILLA_CACHE/npm"'],
  network: ["registry.npmjs.org"],
  cache: ["npm"],
};
const QUIET = aRole({ name: "quiet", description: "Waits | to be told", triggers: [] });

const ROLES_HERE = ROLES.map((role) =>
  role.name === "reviewer" ? { ...role, triggers: [{ event: "task.ready_for_review" }] } : role,
);

const settings = someSettings({
  roles: rolesOf(...ROLES_HERE, QUIET),
  limits: {
    turnCeiling: 200,
    defaults: { ...LIMITS, maxCostUsd: 20, maxActiveDurationMs: 90_000 },
    roles: new Map(),
  },
  repositoryPerDay: { maxCostUsd: 100, maxAgents: 50 },
});

const seen = (number: number, title: string, label: string | null, permitted = true): SeenIssue => ({
  issue: anIssue({ number, title, labels: label === null ? [] : [label] }),
  authorPermitted: permitted,
  labels: label === null ? [] : [{ label, by: aPerson("eve"), permitted, own: false }],
});
const ISSUES = [
  seen(12, "Add a dark mode", "feature"),
  seen(11, "@alice <img src=x> closes #1 `x` | [a](http://evil.example) <!-- hidden -->", "feature"),
  seen(10, "From a stranger", "feature", false),
  seen(9, "From another stranger", "feature", false),
];

function body(overrides: Partial<Omit<ProposalBody, "report">> = {}, issues: readonly SeenIssue[] = ISSUES) {
  const said = {
    settings,
    level: "pr",
    seen: SEEN,
    trial: { kind: "skipped" },
    repository: "acme/shop",
  } as const;
  const known = { ...said, ...overrides };
  const facts = {
    seen: issues,
    agents: [],
    rows: { agents: [], usage: [], awake: [], ended: [], touches: [] },
    now: 0,
    file: { state: "none" },
  } as const;
  return proposalBody({ ...known, report: reportOf(known.settings, aRepository(), facts) });
}

const withEvidence = (evidence: Partial<Settings["evidence"]>): Settings => ({
  ...settings,
  evidence: { ...settings.evidence, ...evidence },
});

const withSetup = (setup: Partial<Settings["setup"]>): Settings => ({
  ...settings,
  setup: { ...settings.setup, ...setup },
});

/** Every line that is a comment only for now. */
const inForce = (text: string) => text.replaceAll(/^# (?=\s*(?:[a-z][\w-]*:|- ))/gm, "");

it("the file has in force what the repository suggests, and all else as comments", async () => {
  const text = proposedFile(settings, SEEN);
  expect(parse(text)).toEqual({ setup: IN_FORCE, evidence: { commands: ["npm test"] } });
  await expect(text).toMatchFileSnapshot("../../fixtures/onboarding/flotilla.yml");
});

it("the comments of the file are settings as they are, once their signs are taken away", () => {
  expect(parse(inForce(proposedFile(settings, SEEN)))).toEqual({
    setup: IN_FORCE,
    evidence: {
      commands: ["npm test", "go test ./..."],
      timeout: "10m",
      max_bounces: 3,
      required_checks: [],
    },
    roles: Object.fromEntries(
      [...settings.roles.values()].map(({ name, triggers }) => [name, { triggers: [...triggers] }]),
    ),
    review: { required: false, reviewers: 1, max_cycles: 5 },
    merge: { auto: false, method: "squash" },
    branches: "flotilla/{role}/issue-{number}",
    circuit_breakers: {
      defaults: {
        max_active_duration: "90s",
        max_iterations: 5,
        max_tool_calls: 200,
        max_turns: 50,
        max_sleep_duration: "1d",
        max_tokens: 2_000_000,
        max_cost_usd: 20,
      },
    },
  });
});

it("the file leaves the operator's acceptance commands in force, and what was seen is a comment", () => {
  const own = withEvidence({ commands: ['npm run "a: b"'], requiredChecks: ["ci: #1"] });
  const text = proposedFile(own, { ...SEEN, setup: [] });
  expect(parse(text)).toBeNull();
  expect(parse(inForce(text))).toMatchObject({
    evidence: { commands: ['npm run "a: b"', "npm test", "go test ./..."], required_checks: ["ci: #1"] },
  });
});

it("the file of a repository that suggests nothing is all comments, and says so of each", () => {
  const off = {
    turnCeiling: 200,
    defaults: { ...LIMITS, maxCostUsd: undefined, maxSleepDurationMs: HOUR },
    roles: new Map(),
  };
  const text = proposedFile({ ...settings, limits: off }, NONE);
  expect(parse(text)).toBeNull();
  expect(text).toContain("no lock file and no manifest that Flotilla knows");
  expect(parse(inForce(text))).toMatchObject({
    evidence: { commands: [] },
    circuit_breakers: { defaults: { max_cost_usd: "off", max_sleep_duration: "1h" } },
  });
});

it("the file leaves the operator's setup commands in force, and what was seen is a comment", () => {
  const text = proposedFile(withSetup({ commands: ["make: deps"] }), { ...SEEN, run: [] });
  expect(parse(text)).toBeNull();
  expect(text).toContain('The operator\'s commands stay in force ("make: deps").');
  expect(parse(inForce(text))).toMatchObject({ setup: IN_FORCE });
});

it("the file sets no setup commands where the operator lets no repository do so", () => {
  const text = proposedFile(
    withSetup({ repositoriesMay: { ...settings.setup.repositoriesMay, commands: false } }),
    SEEN,
  );
  expect(parse(text)).toEqual({ evidence: { commands: ["npm test"] } });
  expect(text).toContain("lets no repository name setup commands");
});

it("the file and the text say which hosts the operator does not permit, and neither where all are", () => {
  const told = "The operator does not permit registry.npmjs.org yet";
  const asked = "have the operator permit `registry.npmjs.org`";
  const confined = { ...settings, sandbox: { ...settings.sandbox, mode: "bubblewrap" } } as const;
  expect(proposedFile(confined, SEEN)).toContain(told);
  expect(body({ settings: confined })).toContain(asked);
  const { setup } = withSetup({ network: ["registry.npmjs.org"] });
  expect(proposedFile({ ...confined, setup }, SEEN)).not.toContain("does not permit");
  expect(body({ settings: { ...confined, setup } })).not.toContain("have the operator permit");
});

it("the text says what happens, how far it goes, what it would have done, what it costs and how to say no", async () => {
  await expect(body()).toMatchFileSnapshot("../../fixtures/onboarding/body.md");
});

it("the text links to no issue, mentions nobody and draws nothing of what strangers wrote", () => {
  const text = body();
  expect(text.replaceAll(/`[^`]*`/g, "")).not.toMatch(
    /#\d|(?<![A-Za-z0-9])@[A-Za-z]|<img|evil\.example\)|<!--/,
  );
});

it.each(LEVELS)("the text says what may leave at %s, and nothing of the others", (level) => {
  const words = {
    observe: "it reads, and writes nothing to GitHub",
    comment: "it pushes no branch and opens no pull request",
    draft: "opens draft pull requests",
    pr: "opens pull requests, which people merge",
    merge: "may merge what is approved",
  };
  const text = body({ level });
  for (const [other, said] of Object.entries(words)) expect(text.includes(said)).toBe(other === level);
  expect(text.includes("press “Ready for review”")).toBe(level === "draft");
});

it("the text says of the acceptance commands what becomes of them", () => {
  expect(body()).toContain("must then pass `npm test` (package.json has a script test)");
  expect(body()).toContain(
    'prepared first by `npm ci --cache "$FLOTILLA_CACHE/npm"` (package-lock.json is there)',
  );
  expect(body({ seen: { ...SEEN, setup: [] } })).toContain("No setup command prepares the checkout");
  const setup = { ...settings.setup, commands: ["npm ci"] };
  expect(body({ settings: { ...settings, setup } })).toContain("prepare the checkout first: `npm ci`.");
  expect(body({ seen: NONE })).toContain("No acceptance command was found");
  const own = withEvidence({ commands: ["make check"] });
  expect(body({ settings: own })).toContain("acceptance commands stay as they are (`make check`)");
});

it("the text of a repository without issues, or where none would have started, says that", () => {
  expect(body({}, [])).toContain("There are no issues yet.");
  expect(body({}, ISSUES.slice(0, 1))).not.toContain("Why not on the others");
  const none = body({}, ISSUES.slice(2));
  expect(none).toContain("would have started on 0 of 2.");
  expect(none).not.toContain("The issues on which one would have started");
  expect(none).toContain("- `#10` `#9`: ");
  expect(none).not.toContain("would have worked, together");
});

it("the text says where there is no limit of cost", () => {
  const limits = { turnCeiling: 200, defaults: LIMITS, roles: new Map() };
  const text = body({
    settings: { ...settings, limits, repositoryPerDay: { maxCostUsd: undefined, maxAgents: 3 } },
  });
  expect(text).toContain("| `feat-dev` | 50 | 2 h | no limit |");
  expect(text).toContain("at most 3 agents start in this repository, without a limit of cost.");
  expect(text).toContain("issues would have worked, together, without a limit of cost.");
});
