import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { HostTool, ToolAnswer } from "../../src/core/ports/agent-runtime.ts";
import type { ToolHost } from "../../src/core/ports/tool-host.ts";
import { TOOL_NAMES, toolsFor } from "../../src/tools/catalog.ts";
import { A_VERDICT } from "../factories/a-verdict.ts";

const OK: ToolAnswer = { ok: true, text: "done" };
const RUNTIME: readonly string[] = JSON.parse(readFileSync("test/fixtures/runtime-tools.json", "utf8"));

/** A host that writes down what it is asked. */
function recordingHost(answer: () => Promise<ToolAnswer> = async () => OK) {
  const asked: unknown[][] = [];
  const note =
    (method: keyof ToolHost) =>
    (...args: unknown[]): Promise<ToolAnswer> => {
      asked.push([method, ...args]);
      return answer();
    };
  const host: ToolHost = {
    intend: note("intend"),
    askHuman: note("askHuman"),
    submitVerdict: note("submitVerdict"),
    submitPlan: note("submitPlan"),
    output: note("output"),
    writeHandoff: note("writeHandoff"),
    submitEvaluation: note("submitEvaluation"),
    finalizePlan: note("finalizePlan"),
    rescopeTask: note("rescopeTask"),
    supersedeTask: note("supersedeTask"),
    restoreFiles: note("restoreFiles"),
    readIssue: note("readIssue"),
    readPullRequest: note("readPullRequest"),
    checkForEvents: note("checkForEvents"),
    listFleet: note("listFleet"),
    status: note("status"),
  };
  return { host, asked };
}

const call = (tool: HostTool | undefined, args: unknown): Promise<ToolAnswer | undefined> =>
  Promise.resolve(tool?.call(args, { toolCallId: "call-1", signal: new AbortController().signal }));

const named = (name: string, destructive = false) => ({ name, destructive });
const ASKED = { question: "x", recommended: null, default: null, deadline: null, who: null };

/** What each tool takes, and what it then asks of the host. */
const USES: readonly (readonly [string, object, readonly unknown[]])[] = [
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

describe("tools", () => {
  it("are these, each named once and never like a tool of the runtime's own", () => {
    expect(TOOL_NAMES).toEqual([
      "submit_plan",
      "report_blocked",
      "report_complete",
      "request_review",
      "escalate_to_human",
      "ask_human",
      "write_handoff",
      "commit",
      "restore_files",
      "open_pr",
      "comment",
      "label",
      "create_blocker_issue",
      "read_issue",
      "read_pr",
      "check_for_events",
      "submit_verdict",
      "list_fleet",
      "get_my_status",
      "submit_evaluation",
    ]);
    expect(TOOL_NAMES.filter((name) => RUNTIME.includes(name))).toEqual([]);
    expect(new Set(USES.map(([name]) => name))).toEqual(new Set(TOOL_NAMES));
  });

  it("are there only when the role allows them", () => {
    const { host } = recordingHost();
    const names = (allowed: readonly string[]) => toolsFor(allowed, host).map(({ name }) => name);
    expect(names(["commit", "report_complete", "bash", "__proto__"])).toEqual(["report_complete", "commit"]);
    expect(names([])).toEqual([]);
    expect(names(TOOL_NAMES)).toEqual(TOOL_NAMES);
  });

  it("end the turn when they report how the work ends or leave word for a new conversation, and only then", () => {
    const terminal = toolsFor(TOOL_NAMES, recordingHost().host).filter((tool) => tool.terminal);
    expect(terminal.map(({ name }) => name)).toEqual([
      "report_blocked",
      "report_complete",
      "request_review",
      "escalate_to_human",
      "ask_human",
      "write_handoff",
      "submit_verdict",
      "submit_evaluation",
    ]);
  });

  it.each(USES)("%s(%j) asks the host", async (name, args, expected) => {
    const { host, asked } = recordingHost();
    const [tool] = toolsFor([name], host);
    expect(await call(tool, args)).toEqual(OK);
    expect(asked).toEqual([expected]);
  });

  it.each(USES)("%s(%j) is what its JSON Schema asks for", (name, args) => {
    const [tool] = toolsFor([name], recordingHost().host);
    const check = new Ajv2020({ strict: true }).compile(tool?.parameters ?? false);
    const written = Object.entries(args).filter(([, value]) => value !== null);
    expect(check(Object.fromEntries(written))).toBe(true);
    expect(check({ ...args, repository: "other/repo" })).toBe(false);
  });

  it("say in their JSON Schema what each argument is", () => {
    for (const { parameters, description } of toolsFor(TOOL_NAMES, recordingHost().host)) {
      expect(description.length).toBeGreaterThan(30);
      expect(parameters["type"]).toBe("object");
      expect(parameters).not.toHaveProperty("$schema");
      for (const property of Object.values(parameters["properties"] ?? {})) {
        expect(property).toHaveProperty("description", expect.stringMatching(/./));
      }
    }
  });

  it.each([
    ["report_blocked", { blocker_issue: "4", reason: "x" }, /blocker_issue: .*number/],
    ["report_blocked", { blocker_issue: 0, reason: "x" }, /blocker_issue: .*1/],
    ["report_blocked", { blocker_issue: 1.5, reason: "x" }, /blocker_issue: .*int/],
    ["report_blocked", { reason: "x" }, /blocker_issue: /],
    ["report_complete", { summary: "  " }, /summary: /],
    ["report_complete", "done", /expected object/],
    ["report_complete", undefined, /summary: /],
    ["report_complete", [], /expected object/],
    ["comment", { body: "x".repeat(60_001) }, /body: .*60000/],
    ["comment", { body: "x", issue: 9 }, /issue/],
    ["open_pr", { title: "x".repeat(257), body: "x" }, /title: .*256/],
    ["commit", { message: "x".repeat(5_001) }, /message: .*5000/],
    ["restore_files", { paths: [] }, /paths: /],
    ["restore_files", { paths: ["a", 2] }, /paths\.1: /],
    ["list_fleet", { all: true }, /all/],
    ["ask_human", { question: "x", options: ["a"] }, /options: .*2/],
    ["ask_human", { question: "x", options: "a b c d e f g".split(" ") }, /options: .*6/],
    ["ask_human", { question: "x", options: ["a", "`b`"] }, /options\.1: write one line/],
    ["ask_human", { question: "x", options: ["a", { label: "b", risky: true }] }, /options\.1: .*risky/],
    ["ask_human", { question: "x", options: ["a", 2] }, /options\.1: write a name/],
    ["ask_human", { question: "x", options: ["a", "b"], who: "acme/core" }, /who: write a GitHub login/],
  ])("%s(%j) is refused before it does anything, and says what is expected", async (name, args, fault) => {
    const { host, asked } = recordingHost();
    const [tool] = toolsFor([name], host);
    const answer = await call(tool, args);
    expect(answer?.ok).toBe(false);
    expect(answer?.text).toMatch(fault);
    expect(answer?.text).toContain(JSON.stringify(tool?.parameters));
    expect(asked).toEqual([]);
  });

  it("tell the model what the host answers, good or bad", async () => {
    const refused: ToolAnswer = { ok: false, text: "issue 4 is closed" };
    const { host } = recordingHost(async () => refused);
    const [tool] = toolsFor(["report_blocked"], host);
    expect(await call(tool, { blocker_issue: 4, reason: "x" })).toEqual(refused);
  });

  it("tell nothing of an error of the host but what to do", async () => {
    const { host } = recordingHost(() => Promise.reject(new Error("token ghs_secret at /srv/data")));
    const [tool] = toolsFor(["get_my_status"], host);
    const answer = await call(tool, {});
    expect(answer?.ok).toBe(false);
    expect(answer?.text).toContain("escalate_to_human");
    expect(answer?.text).not.toMatch(/secret|srv/);
  });
});
