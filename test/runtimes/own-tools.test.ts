import { readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRig } from "../contracts/agent-runtime-rig.ts";
import { testedPresets } from "./install-agents.ts";
import { shellCall, startAgent } from "./start-agent.ts";

const THERE = "{{cwd}}/there.md";
const NEW = "{{cwd}}/new.md";
const edit = { old_string: "made", new_string: "done" };

/** A call of each of an agent's own tools that it offers, besides its shell. */
const OWN: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
  claude: {
    Read: { file_path: THERE },
    Glob: { pattern: "*.md" },
    Grep: { pattern: "made" },
    Edit: { file_path: THERE, ...edit },
    Write: { file_path: NEW, content: "new" },
  },
  codex: { view_image: { path: "there.png" } },
  gemini: {
    list_directory: { dir_path: "{{cwd}}" },
    read_file: { file_path: THERE },
    grep_search: { pattern: "made" },
    glob: { pattern: "*.md" },
    replace: { file_path: THERE, instruction: "Say that it is done", ...edit },
    write_file: { file_path: NEW, content: "new" },
  },
  opencode: {
    read: { filePath: THERE },
    glob: { pattern: "*.md" },
    grep: { pattern: "made" },
    edit: { filePath: THERE, oldString: "made", newString: "done" },
    write: { filePath: NEW, content: "new" },
  },
  qwen: {
    read_file: { file_path: THERE },
    grep_search: { pattern: "made" },
    glob: { pattern: "*.md" },
    edit: { file_path: THERE, ...edit },
    write_file: { file_path: NEW, content: "new" },
  },
};

describe.for(testedPresets())("$name's own tools", { timeout: 180_000 }, (preset) => {
  const own = Object.entries(OWN[preset.name] ?? {}).map(([tool, args]) => ({ tool, args }));

  test("each asks the gate first, also where it only reads", async ({ onTestFinished }) => {
    const harmless = ["ls", "cat there.md | head -1", "pwd && git log -1"];
    const calls = [...harmless.map((command) => shellCall(preset.name, command)), ...own];
    const steps = [...calls.map((one) => ({ call: [one] })), { say: "Done." }];
    const rig = createRig(await startAgent(preset, { conversations: [{ match: "do the work", steps }] }));
    onTestFinished(rig.close);
    writeFileSync(join(rig.place.workingDirectory, "there.md"), "made\n");
    const asked: string[] = [];
    const { session } = await rig.open({
      gate: ({ toolName }) => {
        asked.push(toolName);
        return { allow: true };
      },
    });
    expect(await session.exchange("do the work", { deadlineMs: 120_000 })).toEqual({
      kind: "idle",
      lastMessage: "Done.",
    });
    expect(asked).toEqual(calls.map(({ tool }) => tool));
  });

  test("none does anything after a denial, not even one that only reads", async ({ onTestFinished }) => {
    const calls = [
      shellCall(preset.name, "cat there.md"),
      shellCall(preset.name, "printf 'done' > new.md"),
      ...own,
    ];
    const steps = [...calls.map((one) => ({ call: [one] })), { say: "Done." }];
    const rig = createRig(await startAgent(preset, { conversations: [{ match: "do the work", steps }] }));
    onTestFinished(rig.close);
    const there = join(rig.place.workingDirectory, "there.md");
    writeFileSync(there, "made by a person\n");
    const asked: string[] = [];
    const { session } = await rig.open({
      gate: ({ toolName }) => {
        asked.push(toolName);
        return { allow: false, reason: "not on a Sunday", endExchange: false };
      },
    });
    expect((await session.exchange("do the work", { deadlineMs: 120_000 })).kind).toBe("idle");
    const last = JSON.stringify(rig.requests().at(-1));
    expect(last.split("not on a Sunday").length - 1).toBeGreaterThanOrEqual(asked.length);
    // Some refuse by themselves to edit what they have not read.
    expect(
      calls.map(({ tool }) => tool).filter((tool) => !asked.includes(tool) && !/^edit$/i.test(tool)),
    ).toEqual([]);
    expect(last).not.toContain("by a person");
    expect(readFileSync(there, "utf8")).toBe("made by a person\n");
    expect(await readdir(rig.place.workingDirectory)).not.toContain("new.md");
  });
});
