import { expect, it } from "vitest";
import {
  agentCategory,
  isEscalationLabel,
  isOldCategoryLabel,
  TROUBLES,
  troubleOf,
} from "../../../src/domain/tasks/escalation.ts";

it.each([
  ["decision", TROUBLES.decision],
  [" No progress ", TROUBLES.no_progress],
  ["ended-without-report", TROUBLES.ended_without_report],
  ["my own words", null],
  ["constructor", null],
  ["other", null],
  [null, null],
])("the category %j reads as %j", (category, trouble) => {
  expect(troubleOf(category)).toBe(trouble);
});

it.each([
  ["escalation:decision", true],
  ["Escalation:No_Progress", true],
  ["escalation:other", true],
  ["escalation:sev1", false],
  ["escalation:", false],
  ["needs-escalation:decision", false],
])("%j is a label of an earlier version: %j", (label, is) => {
  expect(isOldCategoryLabel(label)).toBe(is);
});

it.each([
  ["Ask", "ask", true],
  ["ask", "Ask", true],
  ["ask us", "ask", false],
])("%j is the escalation label %j: %j", (label, configured, is) => {
  expect(isEscalationLabel(label, configured)).toBe(is);
});

it.each([
  ["decision", "decision"],
  ["Contradicting Specs", "Contradicting Specs"],
  ["provider", "other"],
  [" Review-Deadlock ", "other"],
  ["replanning", "other"],
  ["disk", "other"],
  ["expired", "other"],
  ["limit", "other"],
])("an agent that calls its trouble %j is kept as %j: no agent speaks for the host", (given, kept) => {
  expect(agentCategory(given)).toBe(kept);
});
