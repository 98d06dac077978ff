import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readRoleFile } from "../../src/config/role-file.ts";
import { DEFAULT_ROLES } from "../../src/domain/settings/role-schema.ts";
import { OUR_TOOLS } from "./workplace.ts";

const files = readdirSync("config/roles");
const CODERS = ["feat-dev.md", "bug-fix.md", "docs-dev.md"];

function shipped(file: string) {
  const read = readRoleFile(readFileSync(`config/roles/${file}`, "utf8"), file, {
    knownTools: OUR_TOOLS,
    mcpServers: new Map(),
    skills: [],
  });
  expect(read.faults).toEqual([]);
  if (read.role === undefined) throw new Error(`${file} has no role`);
  return read.role;
}

describe("the shipped role files", () => {
  test("there is one for every default role, three to add, and no other", () => {
    expect(files.toSorted()).toEqual(
      [
        ...Object.values(DEFAULT_ROLES).map((role) => role.prompt),
        "evaluator.md",
        "planner.md",
        "retrospective.md",
      ].toSorted(),
    );
  });

  test.each(files)("%s names each of its tools in the prompt, has an end and an example", (file) => {
    const role = shipped(file);
    for (const tool of role.tools) expect(role.prompt).toContain(`\`${tool}`);
    expect(role.prompt).toContain("## Example");
    // The rules for all agents follow it.
    expect(role.prompt).not.toContain("data from people");
    if (file === "evaluator.md") return;
    // It asks nobody: what it does not propose is not missed.
    if (file === "retrospective.md") return;
    expect(role.prompt).toContain("exactly one of");
    expect(role.tools).toEqual(expect.arrayContaining(["report_complete", "escalate_to_human"]));
  });

  test.each(CODERS)("%s can change code, and is told not to do it by git", (file) => {
    const role = shipped(file);
    expect(role.capabilities).toEqual(["read", "edit", "shell"]);
    expect(role.tools).toEqual(
      expect.arrayContaining(["commit", "restore_files", "open_pr", "report_blocked"]),
    );
    expect(role.prompt).toContain("do not try to commit, switch, reset, stash or push with git");
  });

  test("evaluator.md answers by its own tool, and reports nothing", () => {
    expect(shipped("evaluator.md").prompt).toContain(
      "End with `submit_evaluation`, once, as your last call.",
    );
  });

  test("triage, reviewer and retrospective can change nothing in a repository", () => {
    for (const file of ["triage.md", "reviewer.md", "retrospective.md"]) {
      const role = shipped(file);
      expect(role.capabilities).not.toContain("edit");
      expect(role.tools).not.toContain("commit");
      expect(role.tools).not.toContain("open_pr");
    }
    expect(shipped("triage.md").capabilities).not.toContain("shell");
    expect(shipped("triage.md").tools).toContain("label");
    expect(shipped("reviewer.md").tools).toContain("submit_verdict");
  });

  test("docs/roles.md explains every tool and every default role", () => {
    const text = readFileSync("docs/roles.md", "utf8");
    for (const name of [...OUR_TOOLS, "read", "edit", "shell", ...Object.keys(DEFAULT_ROLES)]) {
      expect(text).toContain(`\`${name}\``);
    }
  });
});
