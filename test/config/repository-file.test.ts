import { describe, expect, test } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { load, SOUND_YAML } from "./workplace.ts";

const operator = (yaml = ""): Settings => load(SOUND_YAML + yaml).config;
let kept: Settings | undefined;
const base = (): Settings => (kept ??= operator());
const faults = (text: string, settings = base(), texts: Readonly<Record<string, string>> = {}) =>
  readRepositoryFile(text, settings, new Map(Object.entries(texts))).faults;
const texts = (name: string, front: string) => ({
  [name]: `---\ndescription: Ours.\n${front}\n---\nDo it.\n`,
});

describe("a repository's file", () => {
  test("says nothing when it is empty, and all its keys reach the settings of the repository", () => {
    const { override: nothing } = readRepositoryFile("# later\n", base());
    expect(nothing && settingsFor(base(), nothing)).toMatchObject({ ...base(), limits: {}, roles: {} });
    const { override, faults: none } = readRepositoryFile(
      `
branches: "bots/{role}-{number}"
setup: { environment: { CARGO_TERM_COLOR: never } }
evidence: { commands: [npm test], timeout: 5m, max_bounces: 1, required_checks: [ci], evaluator_threshold: 0.9 }
review: { required: true, reviewers: 2, max_cycles: 2, lease: 10m }
merge: { auto: false, method: rebase }
circuit_breakers:
  defaults: { max_turns: 40 }
  roles: { bug-fix: { max_active_duration: 1h } }
  repository_per_day: { max_cost_usd: 5, max_agents: 4 }
  storm: { max_starts_per_issue_per_hour: 2, max_depth: 1, max_fan_out: 1 }
  progress: { turns_without_change: 4 }
roles: { bug-fix: { triggers: [{ event: issues.labeled, label: crash }], plan_first: true, singleton: true } }
`,
      base(),
    );
    expect(none).toEqual([]);
    expect(override).toEqual({
      branches: "bots/{role}-{number}",
      setup: { environment: { CARGO_TERM_COLOR: "never" } },
      evidence: {
        commands: ["npm test"],
        timeoutMs: 300_000,
        maxBounces: 1,
        requiredChecks: ["ci"],
        evaluatorThreshold: 0.9,
      },
      review: { required: true, reviewers: 2, maxCycles: 2, leaseMs: 600_000 },
      merge: { auto: false, method: "rebase" },
      limits: { defaults: { maxTurns: 40 }, roles: { "bug-fix": { maxActiveDurationMs: 3_600_000 } } },
      repositoryPerDay: { maxCostUsd: 5, maxAgents: 4 },
      storm: { maxStartsPerIssuePerHour: 2, maxDepth: 1, maxFanOut: 1 },
      progress: { turnsWithoutChange: 4 },
      roles: {
        "bug-fix": {
          triggers: [{ event: "issues.labeled", label: "crash" }],
          planFirst: true,
          singleton: true,
        },
      },
    });
  });

  test("lists the files that are its instructions by their whole paths, and protects them", () => {
    const { override } = readRepositoryFile("instructions: [docs/style.md, docs/style.md, A.md]\n", base());
    expect(override?.instructions).toEqual(["docs/style.md", "A.md"]);
    const settings = override === undefined ? undefined : settingsFor(base(), override);
    expect(settings?.policy.protectedPaths.slice(-2)).toEqual(["docs/style.md", "A.md"]);
    for (const [list, why] of [
      ["[docs/*.md]", "has a wildcard; write the whole path of a file."],
      ["[../secret.md]", "has . or .. as a directory"],
      ["[/etc/passwd]", "starts with /"],
      ["[]", "write a list of at least 1."],
      [`[${Array.from({ length: 21 }, (_, index) => `${index}.md`).join()}]`, "write a list of at most 20."],
      ["maybe", "write true, off, or a list of files."],
    ] as const)
      expect(faults(`instructions: ${list}\n`).join("\n")).toContain(why);
    expect(faults("instructions: [a.md]\n", operator("\ninstructions: off\n"))).toEqual([
      expect.stringContaining("the operator has switched it off, and a repository does not switch it on."),
    ]);
  });

  test("is told all its faults at once, each with its path and the nearest name", () => {
    expect(
      faults(`
reviw: { required: true }
evidence: { comands: [], timeout: soon, max_bounces: 9 }
merge: { auto: true }
circuit_breakers: { incident: { issues: 1 }, defaults: { max_turns: 60 }, roles: { revewer: { max_turns: 2 } } }
roles: { evaluator: {}, bug-fixx: {}, triage: { triggers: [{ event: issues.open }] } }
`).map((fault) => fault.replace(".github/flotilla.yml: ", "")),
    ).toEqual([
      "circuit_breakers.incident: only the operator sets it, for all repositories; take it out.",
      "evidence.timeout: write one number with its unit (90s, 15m, 2h, 7d), more than zero and at most 365d",
      'evidence.comands: unknown key. Did you mean "commands"?',
      'reviw: unknown key. Did you mean "review"?',
      "roles.evaluator: judges what agents claim, so it is the operator's alone; take it out.",
      'roles.bug-fixx: there is no such role, and a new one needs a prompt. Did you mean "bug-fix"?',
      "evidence.max_bounces: is more than the operator's 3; a repository only lowers it.",
      "merge.auto: the operator has switched it off, and a repository does not switch it on.",
      "circuit_breakers.defaults.max_turns: is more than the operator's 50; a repository only lowers it.",
      'roles.triage.triggers[0].event: unknown event "issues.open". Did you mean "issues.opened"?',
      'circuit_breakers.roles.revewer: there is no such role. Did you mean "reviewer"?',
    ]);
  });

  test("is told the faults beside a faulty entry of a list", () => {
    expect(
      faults(`
bases: [release-1, { label: crash, milestone: "1.0", branch: release-2 }]
evidence: { max_bounces: 9 }
`).map((fault) => fault.replace(".github/flotilla.yml: ", "")),
    ).toEqual([
      "bases[1]: write either a label or a milestone, not both",
      "evidence.max_bounces: is more than the operator's 3; a repository only lowers it.",
    ]);
  });

  test("is told so where it is a list", () => {
    expect(faults("- 1\n")).toHaveLength(1);
  });

  test.each([
    ["evidence: { commands: [] }", "evidence.commands: is empty"],
    ["evidence: { timeout: 21m }", "evidence.timeout: is more than the operator's 20m"],
    ["evidence: { evaluator_threshold: 0.5 }", "evaluator_threshold: is less than the operator's 0.85"],
    ["review: { required: false }", "review.required: the operator has switched it on"],
    ["review: { reviewers: 1 }", "review.reviewers: is less than the operator's 2"],
    [
      "circuit_breakers: { repository_per_day: { max_cost_usd: off } }",
      "max_cost_usd: the operator's limit is 100",
    ],
    [
      "circuit_breakers: { roles: { reviewer: { max_active_duration: 31m } } }",
      "circuit_breakers.roles.reviewer.max_active_duration: is more than the operator's 30m",
    ],
    ["roles: { triage: { singleton: false } }", "roles.triage.singleton: the operator has switched it on"],
    ["roles: { triage: { evidence: code } }", "roles.triage.evidence: is outputs for the operator"],
    ["roles: { triage: { plan_first: true } }", "roles.triage.plan_first: its role file has no submit_plan"],
    ["- a\n- b", "is a list; write a mapping of keys."],
  ])("does not go beyond the operator: %s", (text, fault) => {
    const strict = operator(`
evidence: { commands: [make], timeout: 20m }
review: { required: true, reviewers: 2 }
roles:
  triage: { prompt: triage.md, lifecycle: ephemeral, evidence: outputs, singleton: true, triggers: [{ event: issues.opened }] }
  reviewer: { prompt: reviewer.md, lifecycle: ephemeral, checkout: head, evidence: verdict, triggers: [{ event: task.ready_for_review }] }
`);
    expect(faults(text, strict)).toEqual([expect.stringContaining(fault)]);
    expect(faults("circuit_breakers: { repository_per_day: { max_cost_usd: 99 } }", strict)).toEqual([]);
  });

  test("of a hostile writer ends in a fault: aliases, depth, length, what is no YAML", () => {
    expect(faults("evidence: { commands: &c [a] }\nreview: *c")).toEqual([
      ".github/flotilla.yml:2: YAML: aliases are not read; write the value out.",
    ]);
    // How often the parser says so hangs on how much of the stack is left.
    expect(faults(`${"[".repeat(8_000)}${"]".repeat(8_000)}`)[0]).toContain(".github/flotilla.yml:1: YAML:");
    expect(faults(`# ${"x".repeat(16_384)}`)).toEqual([
      ".github/flotilla.yml: is longer than 16384 bytes; make it shorter.",
    ]);
    expect(faults("evidence: [")[0]).toContain(".github/flotilla.yml:1: YAML:");
    expect(faults("__proto__: { merge: { auto: true } }")).toEqual([
      ".github/flotilla.yml:1: YAML: __proto__ is no key; write another name.",
    ]);
  });
});

describe("roles of a repository's file", () => {
  const OWN = "roles: { bug-fix: { prompt: fix.md } }";
  const NEW =
    "roles: { sweeper: { prompt: sweep.md, evidence: outputs, lifecycle: ephemeral, triggers: [{ event: issues.labeled, label: sweep }] } }";

  test("take their text from its own role files, and none from the operator's", () => {
    const fix = texts("fix.md", "tools: [read, comment]\nlimits: { max_turns: 5 }");
    const { override } = readRepositoryFile(OWN, base(), new Map(Object.entries(fix)));
    expect(override?.roles["bug-fix"]).toEqual({
      file: {
        otherModels: [],
        description: "Ours.",
        emoji: "",
        model: undefined,
        capabilities: ["read"],
        tools: ["comment"],
        mcpTools: [],
        skillNames: [],
        limits: { maxTurns: 5 },
        attributes: { ttlMs: null, labels: [], tags: [] },
        prompt: "Do it.",
      },
    });
    expect(faults("roles: { bug-fix: { prompt: bug-fix.md } }", base(), fix)).toEqual([
      ".github/flotilla.yml: roles.bug-fix.prompt: there is no .github/flotilla/roles/bug-fix.md. Known: fix.md.",
    ]);
  });

  test("have no tool, capability, model or name that is not theirs to have", () => {
    const front = "name: other\nmodel: gpt-9\ntools: [read, edit, label, submit_evaluation]";
    expect(faults(NEW, base(), texts("sweep.md", front))).toEqual([
      '.github/flotilla/roles/sweep.md: tools[3]: unknown tool "submit_evaluation". Known: read, edit, shell, search_issues, read_issue, submit_triage, label, get_my_status, report_complete, escalate_to_human, ask_human.',
    ]);
    expect(faults(NEW, base(), texts("sweep.md", front.replace(", submit_evaluation", "")))).toEqual([
      '.github/flotilla/roles/sweep.md: name: is "other", but the role is sweeper; write that or leave the key out.',
      ".github/flotilla/roles/sweep.md: tools: the operator's roles of this kind do not have read; take it out.",
      ".github/flotilla/roles/sweep.md: tools: the operator's roles of this kind do not have edit; take it out.",
      expect.stringContaining(
        '.github/flotilla/roles/sweep.md: model: the operator has no such model. Did you mean "gpt-',
      ),
    ]);
    expect(faults(NEW, base(), texts("sweep.md", "tools: [label]"))).toEqual([]);
  });

  test("have a temperature only where the operator has a provider", () => {
    const cool = texts("fix.md", "tools: [read]\ntemperature: 0.2");
    const without = base();
    expect(faults(OWN, { ...without, runtime: { ...without.runtime, provider: undefined } }, cool)).toEqual([
      ".github/flotilla/roles/fix.md: temperature: works only with runtime.provider, which is missing; take it out, or configure a provider.",
    ]);
    const { override } = readRepositoryFile(OWN, base(), new Map(Object.entries(cool)));
    expect(override?.roles["bug-fix"]?.file?.temperature).toBe(0.2);
  });

  test("are switched off by no triggers, lead one label to one role, and a new one is started by something", () => {
    expect(faults("roles: { bug-fix: { triggers: [] } }")).toEqual([]);
    expect(faults("roles: { bug-fix: { triggers: [{ event: issues.labeled, label: Feature }] } }")).toEqual([
      expect.stringContaining('roles.bug-fix.triggers[0].label: "Feature" already starts feat-dev'),
    ]);
    const silent = NEW.replace(/, triggers: .*\]/, "");
    expect(faults(silent, base(), texts("sweep.md", "tools: [label]"))).toEqual([
      expect.stringContaining("roles.sweeper.triggers: no event leads to this role"),
    ]);
  });
});
