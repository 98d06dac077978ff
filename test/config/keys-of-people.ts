import { levelIn, levelOfIssue } from "../../src/domain/access/level-of.ts";
import { weightOfInstallation, weightOfRepository } from "../../src/domain/settings/weights-section.ts";
import type { KeyInForce } from "./keys-in-force.ts";

/** Keys about people: who is called, who may command, what agents may show them. */
export const PEOPLE_KEYS_IN_FORCE: readonly KeyInForce[] = [
  {
    key: "escalation.label",
    set: "escalation: { label: help }",
    read: (c) => [c.escalation.label, c.labels.filter(({ name }) => name === "help").length],
    expected: ["help", 1],
  },
  {
    key: "escalation.notify",
    set: "escalation: { notify: [ada, acme/core] }",
    read: (c) => c.escalation.notify,
    expected: ["ada", "acme/core"],
  },
  {
    key: "escalation.remind_after",
    set: "escalation: { remind_after: 5m }",
    read: (c) => c.questions.remindAfterMs,
    expected: 300_000,
  },
  {
    key: "escalation.second_person_after",
    set: "escalation: { second_person_after: 6h }",
    read: (c) => c.questions.secondPersonAfterMs,
    expected: 21_600_000,
  },
  {
    key: "attention.open_prs",
    set: "attention: { open_prs: 3 }",
    read: (c) => c.attention.openPrs,
    expected: 3,
  },
  {
    key: "questions.deadline",
    set: "questions: { deadline: 3d }",
    read: (c) => c.questions.deadlineMs,
    expected: 259_200_000,
  },
  {
    key: "retention.worktrees",
    set: "retention: { worktrees: 2h }",
    read: (c) => c.retention.worktreesMs,
    expected: 7_200_000,
  },
  {
    key: "retention.payloads",
    set: "retention: { payloads: 2h }",
    read: (c) => c.retention.payloadsMs,
    expected: 7_200_000,
  },
  {
    key: "retention.deliveries",
    set: "retention: { deliveries: 40d }",
    read: (c) => c.retention.keptMs.deliveries,
    expected: 3_456_000_000,
  },
  {
    key: "retention.run_events",
    set: "retention: { run_events: 40d }",
    read: (c) => c.retention.keptMs.runEvents,
    expected: 3_456_000_000,
  },
  {
    key: "retention.tool_calls",
    set: "retention: { tool_calls: 40d }",
    read: (c) => c.retention.keptMs.toolCalls,
    expected: 3_456_000_000,
  },
  {
    key: "retention.decisions",
    set: "retention: { decisions: 40d }",
    read: (c) => c.retention.keptMs.decisions,
    expected: 3_456_000_000,
  },
  {
    key: "retention.transitions",
    set: "retention: { transitions: 40d }",
    read: (c) => c.retention.keptMs.transitions,
    expected: 3_456_000_000,
  },
  {
    key: "retention.effects",
    set: "retention: { effects: 40d }",
    read: (c) => c.retention.keptMs.effects,
    expected: 3_456_000_000,
  },
  {
    key: "retention.details",
    set: "retention: { details: 40d }",
    read: (c) => c.retention.keptMs.details,
    expected: 3_456_000_000,
  },
  {
    key: "retention.records",
    set: "retention: { records: 40d }",
    read: (c) => c.retention.keptMs.records,
    expected: 3_456_000_000,
  },
  {
    key: "merge.auto",
    set: "merge: { auto: true }\nlevel: merge",
    read: (c) => c.merge.auto && c.level === "merge",
    expected: true,
  },
  { key: "merge.max_risk", set: "merge: { max_risk: 30 }", read: (c) => c.merge.maxRisk, expected: 30 },
  { key: "merge.method", set: "merge: { method: rebase }", read: (c) => c.merge.method, expected: "rebase" },
  { key: "level", set: "level: observe", read: (c) => c.level, expected: "observe" },
  {
    key: "levels.repositories",
    set: "levels: { repositories: { 'acme/docs': draft, 'acme/*': comment } }",
    read: (c) => ["acme/docs", "acme/shop", "other/shop"].map((name) => levelIn(c, name)),
    expected: ["draft", "comment", "pr"],
  },
  {
    key: "weights.installations",
    set: "weights: { installations: { Acme: 2 } }",
    read: (c) => ["acme", "other"].map((owner) => weightOfInstallation(c.weights, owner)),
    expected: [2, 1],
  },
  {
    key: "weights.repositories",
    set: "weights: { repositories: { 'acme/docs': 0.5, 'acme/*': 3 } }",
    read: (c) => ["acme/docs", "acme/shop", "other/shop"].map((name) => weightOfRepository(c.weights, name)),
    expected: [0.5, 3, 1],
  },
  {
    key: "levels.labels",
    set: "levels: { labels: { hands-off: observe } }",
    read: (c) => [["Hands-Off"], ["bug"]].map((labels) => levelOfIssue(c, "acme/shop", labels)),
    expected: ["observe", "pr"],
  },
  {
    key: "policy.who_may_command",
    set: "policy: { who_may_command: admin }",
    read: (c) => c.policy.whoMayCommand,
    expected: "admin",
  },
  {
    key: "policy.read_untrusted",
    set: "policy: { read_untrusted: true }",
    read: (c) => c.policy.readUntrusted,
    expected: true,
  },
  {
    key: "policy.bots",
    set: "policy: { bots: [49699333] }",
    read: (c) => c.policy.bots,
    expected: [49_699_333],
  },
  {
    key: "policy.max_outputs.comments",
    set: "policy: { max_outputs: { comments: 4 } }",
    read: (c) => c.policy.maxOutputs.comments,
    expected: 4,
  },
  {
    key: "policy.max_outputs.pull_requests",
    set: "policy: { max_outputs: { pull_requests: 2 } }",
    read: (c) => c.policy.maxOutputs.pullRequests,
    expected: 2,
  },
  {
    key: "policy.max_outputs.issues",
    set: "policy: { max_outputs: { issues: 5 } }",
    read: (c) => c.policy.maxOutputs.issues,
    expected: 5,
  },
];
