import { describe, expect, test } from "vitest";
import { type LimitOverrides, type Limits, limitsFor } from "../../../src/domain/breakers/limits.ts";

const DEFAULTS: Limits = {
  maxActiveDurationMs: 7_200_000,
  maxIterations: 5,
  maxToolCalls: 200,
  maxTurns: 50,
  maxSleepDurationMs: 86_400_000,
  maxTokens: 2_000_000,
  maxCostUsd: 20,
  warnAt: 0.8,
};

function limits(overrides: LimitOverrides, fromFile: LimitOverrides = {}): Limits {
  const settings = {
    limits: { turnCeiling: 200, defaults: DEFAULTS, roles: new Map([["reviewer", overrides]]) },
  };
  return limitsFor(settings, { name: "reviewer", limits: fromFile });
}

describe("limits of a role", () => {
  test("are the defaults where nothing else is said", () => {
    const settings = {
      limits: { turnCeiling: 200, defaults: DEFAULTS, roles: new Map([["reviewer", { maxTurns: 1 }]]) },
    };
    expect(limitsFor(settings, { name: "feat-dev", limits: {} })).toEqual(DEFAULTS);
  });

  test("are replaced by what configuration says of the role, higher or lower", () => {
    expect(limits({ maxTurns: 20, maxIterations: 9 })).toEqual({
      ...DEFAULTS,
      maxTurns: 20,
      maxIterations: 9,
    });
  });

  test("are lowered by the role file", () => {
    const half: LimitOverrides = {
      maxActiveDurationMs: 1,
      maxIterations: 2,
      maxToolCalls: 3,
      maxTurns: 4,
      maxSleepDurationMs: 5,
      maxTokens: 6,
      maxCostUsd: 7,
      warnAt: 0.1,
    };
    expect(limits({}, half)).toEqual(half);
  });

  test("are never raised by the role file, not above what configuration says of the role either", () => {
    expect(limits({ maxTurns: 20 }, { maxTurns: 30, maxToolCalls: 999 })).toEqual({
      ...DEFAULTS,
      maxTurns: 20,
    });
  });

  test("have no cost limit when it is off, until the role file sets one", () => {
    expect(limits({ maxCostUsd: undefined }).maxCostUsd).toBeUndefined();
    expect(limits({ maxCostUsd: undefined }, { maxCostUsd: 3 }).maxCostUsd).toBe(3);
    expect(limits({}, { maxCostUsd: undefined }).maxCostUsd).toBe(20);
  });
});
