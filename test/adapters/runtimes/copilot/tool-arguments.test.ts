import { expect, it } from "vitest";
import { builtinTools } from "../../../../src/adapters/runtimes/copilot/builtin-tools.ts";

it.each([
  ["edit", { path: "src/a.ts" }, ["src/a.ts"]],
  ["create", { path: ".github/workflows/x.yml" }, [".github/workflows/x.yml"]],
  ["apply_patch", "*** Begin Patch\n*** Delete File: CODEOWNERS\n*** End Patch", ["CODEOWNERS"]],
  ["apply_patch", { input: "*** Update File: a\n*** Move to: CODEOWNERS" }, ["a", "CODEOWNERS"]],
  ["apply_patch", { patch: "*** Add File: src/a.ts" }, ["src/a.ts"]],
  ["edit", { path: 7 }, []],
  ["edit", null, []],
])("%s %j changes %j", (tool, args, paths) => {
  expect(builtinTools.get(tool)?.paths?.(args)).toEqual(paths);
});

it.each([
  ["view", {}, 0],
  ["bash", { initial_wait: 3600 }, 3600],
  ["read_bash", { delay: 600 }, 600],
  ["bash", { timeout: 60, delay: 5 }, 60],
  ["bash", null, 0],
  ["view", { delay: "long" }, 0],
  ["view", { delay: -5 }, 0],
])("%s %j was told to wait %i seconds", (tool, args, seconds) => {
  expect(builtinTools.get(tool)?.waitMs?.(args)).toBe(seconds * 1000);
});

it("a shell names its command line, another tool none", () => {
  expect(builtinTools.get("bash")?.command?.({ command: "make" })).toBe("make");
  expect(builtinTools.get("bash")?.command?.("make")).toBeNull();
  expect(builtinTools.get("view")).not.toHaveProperty("command");
  expect(builtinTools.get("view")).not.toHaveProperty("paths");
});
