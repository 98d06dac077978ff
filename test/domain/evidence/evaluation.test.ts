import { describe, expect, it } from "vitest";
import { EVALUATOR, evaluatorFor, storedEvaluation } from "../../../src/domain/evidence/evaluation.ts";
import type { EvidenceRow } from "../../../src/domain/kernel/rows.ts";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf } from "../../factories/some-settings.ts";

function row(overrides: Partial<EvidenceRow> = {}): EvidenceRow {
  return {
    id: 1,
    agentId: 1,
    runId: 1,
    intentId: 5,
    kind: "evaluation",
    commit: "c1",
    command: null,
    holds: true,
    exitCode: null,
    timedOut: false,
    output: "It reads well.",
    durationMs: null,
    digest: null,
    confidence: 0.9,
    missing: null,
    createdAt: 0,
    ...overrides,
  };
}
const CLAIM = { intentId: 5, commit: "c1", threshold: 0.85 };
const kept = (...rows: readonly EvidenceRow[]) => storedEvaluation(rows, CLAIM)?.confidence;

describe("the evaluator", () => {
  it("is the role of that name, and is asked about coders only", () => {
    const evaluator = aRole({ name: EVALUATOR, evidence: "none" });
    const roles = rolesOf(aRole(), evaluator);
    expect(evaluatorFor(roles, aRole())).toBe(evaluator);
    expect(evaluatorFor(rolesOf(aRole()), aRole())).toBeUndefined();
    for (const evidence of ["none", "outputs", "verdict"] as const)
      expect(evaluatorFor(roles, { evidence })).toBeUndefined();
  });
});

describe("an evaluation that was kept", () => {
  it("counts for its claim and commit, with its reason", () => {
    expect(storedEvaluation([row()], CLAIM)).toEqual({ confidence: 0.9, reason: "It reads well." });
    expect(kept(row({ confidence: 0.1 }))).toBe(0.1);
    expect(kept()).toBeUndefined();
    expect(kept(row({ commit: "c0" }))).toBeUndefined();
    expect(kept(row({ kind: "command", confidence: null }))).toBeUndefined();
    expect(kept(row({ confidence: null }))).toBeUndefined();
  });

  it("counts for a later claim of the same commit only from the threshold on", () => {
    expect(kept(row({ intentId: 4, confidence: 0.85 }))).toBe(0.85);
    expect(kept(row({ intentId: 4, confidence: 0.84 }))).toBeUndefined();
    expect(kept(row({ intentId: 4, commit: "c0" }))).toBeUndefined();
  });

  it("is the last one where there are several", () => {
    expect(kept(row({ intentId: 4 }), row({ confidence: 0.2 }))).toBe(0.2);
  });
});
