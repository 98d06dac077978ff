import { expect, it } from "vitest";
import { decisionJson } from "../../../src/dashboard/api/json.ts";
import { DECISION_RULES, type DecisionRule } from "../../../src/domain/decisions/rules.ts";
import { decisionText } from "../../../src/domain/kernel/decision-text.ts";
import type { DecisionRow } from "../../../src/domain/kernel/rows.ts";
import { explanation, whyComment } from "../../../src/domain/status/explain.ts";
import type { Cause } from "../causes/cause.ts";
import { CAUSES_OF_ACTS } from "../causes/of-acts.ts";
import { CAUSES_OF_CHECKS } from "../causes/of-checks.ts";
import { CAUSES_OF_GUARDS, MORE_CAUSES } from "../causes/of-guards.ts";
import { CAUSES_OF_MERGING } from "../causes/of-merging.ts";
import { CAUSES_OF_PLANS } from "../causes/of-plans.ts";
import { CAUSES_OF_QUESTIONS } from "../causes/of-questions.ts";
import { CAUSES_OF_REPOSITORIES } from "../causes/of-repositories.ts";
import { decisionsOn } from "../look.ts";
import type { Rig } from "../rig.ts";

/** A rule that is added without a cause does not compile here. */
const CAUSES: Readonly<Record<DecisionRule, Cause>> = {
  ...CAUSES_OF_ACTS,
  ...CAUSES_OF_CHECKS,
  ...CAUSES_OF_GUARDS,
  ...CAUSES_OF_PLANS,
  ...CAUSES_OF_MERGING,
  ...CAUSES_OF_QUESTIONS,
  ...CAUSES_OF_REPOSITORIES,
};

/** Issues of the rig; what belongs to none is filed under 0. */
const ISSUES = [0, 1, 2, 3];

async function decisions(rig: Rig): Promise<readonly DecisionRow[]> {
  return (await Promise.all(ISSUES.map((issue) => rig.store.decisions.ofIssue(7, issue, 100)))).flat();
}

/**
 * In the comment, on the command line and in the API: what it was, why, and what a person can do next. Flotilla's own acts are
 * in the API alone: nobody has anything to do about them.
 */
function expectTold(row: DecisionRow): void {
  const { what, why, next } = decisionText(row);
  for (const text of [what, why, next]) expect(text).toMatch(/\S/);
  const line = `${what}, ${why} (${row.rule}) → ${next}`;
  const isOwn = row.rule === "own_act";
  expect(whyComment([row], row.lastAt).includes(line)).toBe(!isOwn);
  expect(explanation([row], row.lastAt).map((told) => told.includes(line))).toEqual(isOwn ? [] : [true]);
  expect(decisionJson(row)).toMatchObject({ rule: row.rule, what, reason: row.reason, next });
}

it.each(DECISION_RULES)("%s comes about by something real, and is told in all three places", async (rule) => {
  const rig = await CAUSES[rule]();
  const found = (await decisions(rig)).filter((row) => row.rule === rule);
  expect(found).not.toEqual([]);
  for (const row of found) expectTold(row);
});

it.each(MORE_CAUSES)("what is held by %s says so", async (_, reason, cause) => {
  const rig = await cause();
  expect(await decisionsOn(rig)).toEqual(["held"]);
  const [row] = await decisions(rig);
  expect(row?.reason).toMatch(reason);
  if (row !== undefined) expectTold(row);
});
