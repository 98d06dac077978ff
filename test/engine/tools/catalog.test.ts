import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { HostTool, ToolAnswer } from "../../../src/domain/ports/agent-runtime.ts";
import { TOOL_NAMES, toolsFor } from "../../../src/engine/tools/catalog.ts";
import { recordingHost } from "./recording-host.ts";
import { TOOL_USES } from "./tool-uses.ts";

const OK: ToolAnswer = { ok: true, text: "done" };
const RUNTIME: readonly string[] = JSON.parse(readFileSync("test/fixtures/runtime-tools.json", "utf8"));

const call = (tool: HostTool | undefined, args: unknown): Promise<ToolAnswer | undefined> =>
  Promise.resolve(tool?.call(args, { toolCallId: "call-1", signal: new AbortController().signal }));

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
      "create_sub_issue",
      "finalize_plan",
      "rescope_task",
      "supersede_task",
      "list_fleet",
      "get_my_status",
      "submit_evaluation",
    ]);
    expect(TOOL_NAMES.filter((name) => RUNTIME.includes(name))).toEqual([]);
    expect(new Set(TOOL_USES.map(([name]) => name))).toEqual(new Set(TOOL_NAMES));
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

  it.each(TOOL_USES)("%s(%j) asks the host", async (name, args, expected) => {
    const { host, asked } = recordingHost();
    const [tool] = toolsFor([name], host);
    expect(await call(tool, args)).toEqual(OK);
    expect(asked).toEqual([expected]);
  });

  it.each(TOOL_USES)("%s(%j) is what its JSON Schema asks for", (name, args) => {
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
