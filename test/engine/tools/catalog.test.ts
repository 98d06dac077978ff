import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sanitizers } from "../../../src/domain/safe-text/sanitizers.ts";
import {
  ASKING_TOOLS,
  EVALUATION_TOOL,
  HANDOFF_TOOL,
  PLAN_TOOL,
} from "../../../src/domain/sessions/tool-names.ts";
import { TOOL_NAMES, TOOLS, toolKinds } from "../../../src/engine/tools/catalog.ts";
import { defineTool } from "../../../src/engine/tools/define-tool.ts";
import { early, toolsOf } from "../tools-of.ts";
import { sampleOf } from "./sample-arguments.ts";

const ITS = new Map([["peek", { kind: "read", capability: "read" } as const]]);
const kindOf = toolKinds(
  new Map([
    ["copilot", { tools: ITS }],
    ["other", { tools: new Map() }],
  ]),
);
const toolKind = (name: string) => kindOf(name, { runtime: "copilot" });
const SPEAKER = { site: "https://github.com", issue: 42 };
const RUNTIME: readonly string[] = JSON.parse(readFileSync("test/fixtures/runtime-tools.json", "utf8"));

const named = (name: string) => {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
};

describe("tools", () => {
  it("are named once, and never like a tool of the runtime's own", () => {
    expect(new Set(TOOL_NAMES).size).toBe(TOOL_NAMES.length);
    expect(TOOL_NAMES.filter((name) => RUNTIME.includes(name))).toEqual([]);
  });

  it("are known to the domain by their own names", () => {
    const known = [HANDOFF_TOOL, PLAN_TOOL, EVALUATION_TOOL, ...ASKING_TOOLS, "commit"];
    expect(known.filter((name) => !TOOL_NAMES.includes(name))).toEqual([]);
  });

  it("end the turn when they report how the work ends or leave word for a new conversation, and only then", () => {
    const terminal = TOOLS.filter((tool) => tool.terminal).map(({ name }) => name);
    const reports = TOOLS.filter(({ kind }) => kind === "report").map(({ name }) => name);
    expect(terminal.toSorted()).toEqual([...reports, HANDOFF_TOOL, EVALUATION_TOOL].toSorted());
  });

  it("run only once an agent's plan stands where they write", () => {
    const writes = [
      "commit",
      "restore_files",
      "open_pr",
      "comment",
      "label",
      "submit_triage",
      "create_blocker_issue",
      "create_sub_issue",
      "finalize_plan",
      "rescope_task",
      "supersede_task",
    ];
    expect(writes.filter((name) => toolKind(name) !== "write")).toEqual([]);
    expect(toolKind("peek")).toBe("read");
    expect(toolKind("not_there")).toBe("write");
    expect(kindOf("peek", { runtime: "other" })).toBe("write");
    expect(kindOf("peek", { runtime: "gone" })).toBe("write");
  });

  it.each(TOOLS)(
    "$name takes what its JSON Schema asks for, and nothing else",
    ({ name, parameters, read }) => {
      const check = new Ajv2020({ strict: true }).compile(parameters);
      const args = sampleOf(parameters, name, "x");
      expect(check(args)).toBe(true);
      expect(read(args, SPEAKER)).toHaveProperty("args");
      expect(check(Object.assign({ target: "other/repo" }, args))).toBe(false);
    },
  );

  it("do not compile without saying what becomes of each text", () => {
    const tool = {
      name: "say",
      description: "Says something.",
      purpose: "says something",
      schema: z.strictObject({ text: z.string(), lines: z.array(z.string()).optional(), times: z.int() }),
      kind: "write",
      terminal: false,
      run: async () => ({ ok: true, text: "said" }),
    } as const;
    const { markdown, names } = sanitizers;
    expect(defineTool({ ...tool, sanitize: { text: markdown, lines: names } }).name).toBe("say");
    // @ts-expect-error: nothing is said of `lines`.
    expect(() => defineTool({ ...tool, sanitize: { text: markdown } })).not.toThrow();
    // @ts-expect-error: nothing is said at all.
    expect(() => defineTool(tool)).not.toThrow();
  });

  it("say in their JSON Schema what each argument is", () => {
    for (const { parameters, description } of TOOLS) {
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
  ])("%s(%j) is refused before it does anything, and says what is expected", (name, args, fault) => {
    const { read, parameters } = named(name);
    const found = read(args, SPEAKER);
    expect(found).toEqual({ fault: expect.stringMatching(fault) });
    expect(found).toEqual({ fault: expect.stringContaining(JSON.stringify(parameters)) });
  });

  it("take null for what is left out", () => {
    expect(named("read_pr").read({ number: null }, SPEAKER)).toEqual({ args: {} });
  });

  it("tell nothing of an error of the host but what to do", async () => {
    const rig = await early();
    const { call } = await toolsOf(rig);
    rig.onCall = () => {
      throw new Error("token ghs_secret at /srv/data");
    };
    const answer = await call("get_my_status", {});
    expect(answer.ok).toBe(false);
    expect(answer.text).toContain("escalate_to_human");
    expect(answer.text).not.toMatch(/secret|srv/);
  });
});
