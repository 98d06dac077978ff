import { expect, it } from "vitest";
import { changedSettings } from "../../../src/domain/settings/changed-settings.ts";
import { NO_OVERRIDE } from "../../factories/a-repository-file.ts";
import { LIMITS, someSettings } from "../../factories/some-settings.ts";

const base = someSettings({
  limits: { turnCeiling: 200, defaults: { ...LIMITS, maxTurns: 50 }, roles: new Map() },
});

it("lists what a repository's file changes, what the operator has, and what goes too far", () => {
  const written = {
    ...NO_OVERRIDE,
    branches: "bot/{issue}",
    limits: { defaults: { maxTurns: 90, maxToolCalls: 10 }, roles: { "feat-dev": { maxTurns: 5 } } },
    roles: { "feat-dev": { triggers: [] } },
  };
  const all = changedSettings(base, written);
  const operator = String(LIMITS.maxToolCalls);
  expect(all).toEqual(
    expect.arrayContaining([
      { key: "circuit_breakers.defaults.max_turns", value: "50", operator: "50", refused: "90" },
      { key: "circuit_breakers.defaults.max_tool_calls", value: "10", operator, refused: null },
      { key: "circuit_breakers.roles.feat-dev.max_turns", value: "5", operator: "50", refused: null },
      expect.objectContaining({ key: "roles.feat-dev.triggers", value: "none" }),
    ]),
  );
  expect(all.map(({ key }) => key)).toContain("branches");
  expect(changedSettings(base, NO_OVERRIDE)).toEqual([]);
});

it("names variables of the environment without their values, which may be secrets of the operator", () => {
  const operator = someSettings({ setup: { ...base.setup, environment: { SIGNING: "hunter2" } } });
  const written = { ...NO_OVERRIDE, setup: { environment: { MODE: "hunter3" } } };
  const all = changedSettings(operator, written);
  expect(all.map(({ key }) => key)).toEqual(["setup.environment"]);
  expect(JSON.stringify(all)).toContain("SIGNING");
  expect(JSON.stringify(all)).not.toContain("hunter");
});
