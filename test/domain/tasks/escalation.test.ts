import { expect, it } from "vitest";
import {
  agentCategory,
  categoryLabel,
  isCategoryLabel,
  isEscalationLabel,
} from "../../../src/domain/tasks/escalation.ts";

it.each([
  ["decision", "escalation:decision"],
  [" No progress ", "escalation:no_progress"],
  ["ended-without-report", "escalation:ended_without_report"],
  ["my own words", "escalation:other"],
  ["constructor", "escalation:other"],
  [null, "escalation:other"],
])("the category %j has the label %s, which is known as one", (category, label) => {
  expect(categoryLabel(category)).toBe(label);
  expect(isCategoryLabel(label.toUpperCase())).toBe(true);
});

it("does not take every label for one of a category", () => {
  expect(isCategoryLabel("needs-escalation:decision")).toBe(false);
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
