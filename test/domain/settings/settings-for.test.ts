import { describe, expect, test } from "vitest";
import { NO_ATTRIBUTES } from "../../../src/domain/agents/agent-attributes.ts";
import { limitsFor } from "../../../src/domain/breakers/limits.ts";
import type {
  RepositoryOverride,
  RoleOverride,
  RoleText,
} from "../../../src/domain/settings/repository-override.ts";
import { reachOf, settingsFor } from "../../../src/domain/settings/settings-for.ts";
import { aRole } from "../../factories/a-role.ts";
import { LIMITS, PROVIDER, rolesOf, someSettings } from "../../factories/some-settings.ts";

/** As it may have been kept by a version that knew no section. */
const NO_CHANGES: RepositoryOverride = { roles: {}, limits: { defaults: {}, roles: {} } };
const says = (override: Partial<RepositoryOverride>): RepositoryOverride => ({ ...NO_CHANGES, ...override });

/** An operator who has set all that a repository might loosen. */
const STRICT = someSettings({
  evidence: {
    commands: ["make check"],
    timeoutMs: 60_000,
    requiredChecks: ["ci"],
    maxBounces: 2,
    evaluatorThreshold: 0.9,
    screens: null,
  },
  review: {
    required: true,
    reviewers: 2,
    maxCycles: 3,
    leaseMs: 60_000,
    differ: true,
    people: "opened",
    label: "look",
  },
  merge: { auto: true, maxRisk: 40, method: "squash" },
  repositoryPerDay: { maxCostUsd: 10, maxAgents: 5 },
});

const role = (override: RoleOverride, base = someSettings()) =>
  settingsFor(base, says({ roles: { "feat-dev": override } })).roles.get("feat-dev");

describe("the settings of a repository with a file of its own", () => {
  test("are the operator's where the file says nothing", () => {
    const settings = settingsFor(STRICT, NO_CHANGES);
    expect({ ...settings, limits: null }).toEqual({ ...STRICT, limits: null });
    expect(limitsFor(settings, aRole())).toEqual(LIMITS);
  });

  test("take over what it tightens and what it may choose", () => {
    const settings = settingsFor(
      STRICT,
      says({
        branches: "bots/{role}/{number}",
        evidence: {
          commands: ["npm test"],
          timeoutMs: 30_000,
          requiredChecks: ["lint", "ci"],
          maxBounces: 1,
          evaluatorThreshold: 0.95,
        },
        review: { required: true, reviewers: 3, maxCycles: 2, leaseMs: 30_000 },
        merge: { auto: false, maxRisk: 30, method: "rebase" },
        repositoryPerDay: { maxCostUsd: 4, maxAgents: 2 },
        storm: { maxStartsPerIssuePerHour: 2, maxDepth: 1, maxFanOut: 0 },
        progress: { turnsWithoutChange: 3 },
      }),
    );
    expect(settings).toMatchObject({
      branches: "bots/{role}/{number}",
      evidence: {
        commands: ["npm test"],
        timeoutMs: 30_000,
        requiredChecks: ["ci", "lint"],
        maxBounces: 1,
        evaluatorThreshold: 0.95,
      },
      review: { required: true, reviewers: 3, maxCycles: 2, leaseMs: 30_000 },
      merge: { auto: false, maxRisk: 30, method: "rebase" },
      repositoryPerDay: { maxCostUsd: 4, maxAgents: 2 },
      storm: { maxStartsPerIssuePerHour: 2, maxDepth: 1, maxFanOut: 0 },
      progress: { turnsWithoutChange: 3 },
    });
  });

  test("never go below the operator's floor, though the file was sound under an earlier configuration", () => {
    const loose = says({
      evidence: {
        commands: [],
        timeoutMs: 90_000,
        requiredChecks: [],
        maxBounces: 9,
        evaluatorThreshold: 0.1,
      },
      review: { required: false, reviewers: 1, maxCycles: 9, leaseMs: 90_000 },
      merge: { auto: true, maxRisk: 90 },
      repositoryPerDay: { maxCostUsd: 99, maxAgents: 99 },
      storm: { maxStartsPerIssuePerHour: 99, maxDepth: 99, maxFanOut: 99 },
      progress: { turnsWithoutChange: 99 },
      limits: { defaults: { maxTurns: 999 }, roles: { "feat-dev": { maxToolCalls: 999 } } },
    });
    const settings = settingsFor(STRICT, loose);
    expect({ ...settings, limits: null }).toEqual({ ...STRICT, limits: null });
    expect(limitsFor(settings, aRole())).toEqual(LIMITS);
    const merging = settingsFor(someSettings(), loose);
    expect(merging.merge.auto).toBe(false);
    expect(merging.repositoryPerDay.maxCostUsd).toBe(99);
  });

  test("lower a role's limits by the repository's defaults, by its own for the role, and by the operator's role file", () => {
    const base = someSettings({
      limits: {
        turnCeiling: 200,
        defaults: LIMITS,
        roles: new Map([["bug-fix", { maxTurns: 80, maxTokens: 9 }]]),
      },
      roles: rolesOf(aRole({ limits: { maxToolCalls: 40 } }), aRole({ name: "bug-fix" })),
    });
    const settings = settingsFor(
      base,
      says({
        roles: { "feat-dev": { file: { ...aRole(), limits: { maxToolCalls: 90, maxIterations: 4 } } } },
        limits: { defaults: { maxTurns: 60, maxCostUsd: 3 }, roles: { "feat-dev": { maxIterations: 2 } } },
      }),
    );
    const of = (name: string) => limitsFor(settings, settings.roles.get(name) ?? aRole({ name }));
    expect(of("bug-fix")).toEqual({ ...LIMITS, maxTurns: 60, maxTokens: 9, maxCostUsd: 3 });
    expect(of("feat-dev")).toEqual({ ...LIMITS, maxToolCalls: 40, maxIterations: 2, maxCostUsd: 3 });
    expect(of("other")).toEqual({ ...LIMITS, maxCostUsd: 3 });
  });
});

describe("the roles of a repository with a file of its own", () => {
  test("start by its triggers, and by none where it has switched one off", () => {
    const triggers = [{ event: "issues.labeled", label: "wanted" }];
    expect(role({ triggers })).toEqual(aRole({ triggers }));
    expect(role({ triggers: [] })?.triggers).toEqual([]);
  });

  test("are bound as the operator bound them, or closer", () => {
    expect(role({ singleton: true, planFirst: true })).toEqual(aRole({ singleton: true, planFirst: true }));
    const bound = someSettings({ roles: rolesOf(aRole({ singleton: true, planFirst: true })) });
    expect(role({ singleton: false, planFirst: false }, bound)).toEqual(
      aRole({ singleton: true, planFirst: true }),
    );
  });

  test("speak by its role file, with no tool and no model beyond the operator's", () => {
    const bound = aRole({ capabilities: ["read"], tools: ["comment"], model: "gpt-5" });
    const file: RoleText = {
      description: "Ours",
      emoji: "!",
      model: "dear",
      temperature: 0.2,
      capabilities: ["read", "shell"],
      tools: ["comment", "open_pr"],
      prompt: "Ours.",
      limits: { maxTurns: 3 },
      attributes: { ttlMs: 2000, labels: ["team=core"], tags: ["theirs"] },
    };
    const base = someSettings({ roles: rolesOf(bound) });
    const { emoji, description, prompt, limits, attributes } = file;
    expect(role({ file }, base)).toEqual({ ...bound, emoji, description, prompt, limits, attributes });
    expect(role({ file: { ...file, model: undefined } }, base)?.model).toBe("gpt-5");
    expect(role({ file: { ...file, model: "gpt-4.1" } }, base)?.model).toBe("gpt-4.1");
  });

  test("may have a temperature of their own where the operator has a provider", () => {
    const runtime = { ...someSettings().runtime, provider: PROVIDER };
    const roles = rolesOf(aRole({ temperature: 1 }));
    const file = aRole({ temperature: 0 });
    expect(role({ file }, someSettings({ runtime, roles }))?.temperature).toBe(0);
    expect(role({ file: aRole() }, someSettings({ runtime, roles }))?.temperature).toBe(1);
    expect(role({ file }, someSettings())?.temperature).toBeUndefined();
  });

  test.each([
    [null, 2000, 2000],
    [1000, null, 1000],
    [1000, 2000, 1000],
    [3000, 2000, 2000],
  ])("live no longer than the operator lets them: %s and %s is %s", (ours, theirs, both) => {
    const bound = aRole({ attributes: { ...NO_ATTRIBUTES, ttlMs: ours } });
    const file = aRole({ attributes: { ...NO_ATTRIBUTES, ttlMs: theirs } });
    const base = someSettings({ roles: rolesOf(bound) });
    expect(role({ file }, base)?.attributes.ttlMs).toBe(both);
  });

  test("keep their kind, and one that the operator does not have is what the file says", () => {
    const kind = { lifecycle: "ephemeral", evidence: "outputs", checkout: "head" } as const;
    const triggers = [{ event: "issues.labeled", label: "x" }];
    const file = aRole({ capabilities: ["read", "shell"], tools: ["label", "open_pr"] });
    expect(role({ kind })).toEqual(aRole());
    const { roles } = settingsFor(someSettings(), says({ roles: { sorter: { kind, triggers, file } } }));
    expect(roles.get("sorter")).toEqual({
      ...file,
      name: "sorter",
      ...kind,
      triggers,
      capabilities: ["read"],
      tools: ["label"],
    });
  });

  test("are begun by nothing where neither the operator nor the file says by what", () => {
    const file = { ...aRole(), prompt: "Sort." };
    const kind = { lifecycle: "ephemeral", evidence: "none", checkout: "head" } as const;
    const { roles } = settingsFor(someSettings(), says({ roles: { sorter: { kind, file } } }));
    expect(roles.get("sorter")?.triggers).toEqual([]);
  });

  test("are held to limits that the operator sets for a name of no role", () => {
    const { limits } = settingsFor(
      someSettings({
        limits: { turnCeiling: 200, defaults: LIMITS, roles: new Map([["later", { maxTurns: 3 }]]) },
      }),
      says({ limits: { defaults: {}, roles: { other: { maxTurns: 2 } } } }),
    );
    expect(limits.roles.get("later")?.maxTurns).toBe(3);
    expect(limits.roles.get("other")?.maxTurns).toBe(2);
  });

  test("are not there where only the operator made them a role, and has taken it away", () => {
    const { roles } = settingsFor(
      someSettings(),
      says({ roles: { gone: { triggers: [] }, half: { file: aRole() } } }),
    );
    expect([...roles.keys()]).toEqual([...someSettings().roles.keys()]);
  });

  test("leave the evaluator as it is, and get none of its tools", () => {
    const evaluator = aRole({ name: "evaluator", evidence: "none", tools: ["submit_evaluation"] });
    const base = someSettings({ roles: rolesOf(evaluator, aRole({ name: "scout", evidence: "none" })) });
    const file = { ...evaluator, prompt: "Say yes." };
    expect(settingsFor(base, says({ roles: { evaluator: { file } } })).roles.get("evaluator")).toBe(
      evaluator,
    );
    expect(reachOf(base, "helper", "none").tools).toEqual(aRole().tools);
  });
});
