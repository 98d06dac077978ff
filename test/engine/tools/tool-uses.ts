import { A_VERDICT } from "../../factories/a-verdict.ts";

const named = (name: string, destructive = false) => ({ name, destructive });
const ASKED = { question: "x", recommended: null, default: null, deadline: null, who: null };

/** What each tool takes, and what it then asks of the host. */
export const TOOL_USES: readonly (readonly [string, object, readonly unknown[]])[] = [
  [
    "report_blocked",
    { blocker_issue: 4, reason: " needs the schema " },
    ["intend", { kind: "report_blocked", blocker: 4, reason: "needs the schema" }],
  ],
  [
    "report_blocked",
    { blocker_issue: "acme/lib#12", reason: "needs its API" },
    ["intend", { kind: "report_blocked", blocker: 12, repository: "acme/lib", reason: "needs its API" }],
  ],
  ["report_complete", { summary: "did it" }, ["intend", { kind: "report_complete", summary: "did it" }]],
  ["submit_verdict", A_VERDICT, ["submitVerdict", A_VERDICT]],
  ["request_review", { summary: "did it" }, ["intend", { kind: "request_review", summary: "did it" }]],
  [
    "escalate_to_human",
    { reason: "two ways", category: "decision", question: "which?" },
    ["intend", { kind: "escalate_to_human", reason: "two ways", category: "decision", question: "which?" }],
  ],
  [
    "escalate_to_human",
    { reason: "no access", category: "access", question: null },
    ["intend", { kind: "escalate_to_human", reason: "no access", category: "access", question: null }],
  ],
  [
    "ask_human",
    { question: "x", options: ["a ", { label: "b", destructive: true }], who: "@bob", default: "a" },
    ["askHuman", { ...ASKED, options: [named("a"), named("b", true)], default: "a", who: "bob" }],
  ],
  [
    "ask_human",
    { question: "x", options: ["a", { label: "b" }], recommended: "b", deadline: "4h" },
    ["askHuman", { ...ASKED, options: [named("a"), named("b")], recommended: "b", deadline: "4h" }],
  ],
  [
    "report_blocked",
    { cause: "replanning", reason: "Two things." },
    ["intend", { kind: "report_blocked", cause: "replanning", reason: "Two things." }],
  ],
  ["submit_plan", { plan: "1. Read" }, ["submitPlan", "1. Read"]],
  [
    "write_handoff",
    { summary: "half done", next_action: "the rest" },
    ["writeHandoff", { summary: "half done", nextAction: "the rest" }],
  ],
  ["commit", { message: "Add it" }, ["output", { kind: "commit", message: "Add it" }, "call-1"]],
  ["restore_files", { paths: ["a b/c.ts "] }, ["restoreFiles", ["a b/c.ts "]]],
  [
    "open_pr",
    { title: "Add it", body: "Because." },
    ["output", { kind: "open_pr", title: "Add it", body: "Because." }, "call-1"],
  ],
  ["comment", { body: "Look" }, ["output", { kind: "comment", body: "Look" }, "call-1"]],
  ["label", { name: "bug" }, ["output", { kind: "label", label: "bug" }, "call-1"]],
  ["read_issue", { number: 7 }, ["readIssue", 7]],
  ["read_issue", {}, ["readIssue", null]],
  ["read_pr", { number: 8 }, ["readPullRequest", 8]],
  ["read_pr", { number: null }, ["readPullRequest", null]],
  ["check_for_events", {}, ["checkForEvents"]],
  ["list_fleet", {}, ["listFleet"]],
  ["get_my_status", {}, ["status"]],
  [
    "create_blocker_issue",
    { title: "A palette", body: "First.", labels: ["bug"] },
    [
      "output",
      { kind: "create_blocker_issue", title: "A palette", body: "First.", labels: ["bug"] },
      "call-1",
    ],
  ],
  [
    "create_blocker_issue",
    { title: "A palette", body: "First." },
    ["output", { kind: "create_blocker_issue", title: "A palette", body: "First.", labels: [] }, "call-1"],
  ],
  [
    "create_sub_issue",
    { title: "A palette", body: "First.", role: "feat-dev", after: [7] },
    [
      "output",
      { kind: "create_sub_issue", title: "A palette", body: "First.", role: "feat-dev", after: [7] },
      "call-1",
    ],
  ],
  [
    "create_sub_issue",
    { title: "A palette", body: "First." },
    [
      "output",
      { kind: "create_sub_issue", title: "A palette", body: "First.", role: null, after: [] },
      "call-1",
    ],
  ],
  ["finalize_plan", {}, ["finalizePlan"]],
  ["rescope_task", { issue: 7, reason: " smaller " }, ["rescopeTask", { issue: 7, reason: "smaller" }]],
  [
    "supersede_task",
    { issue: 7, by: 8, reason: "better" },
    ["supersedeTask", { issue: 7, by: 8, reason: "better" }],
  ],
  [
    "submit_evaluation",
    { confidence: 0.7, reason: " one test is missing " },
    ["submitEvaluation", { confidence: 0.7, reason: "one test is missing" }],
  ],
];
