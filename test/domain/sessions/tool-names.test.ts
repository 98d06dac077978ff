import { expect, it } from "vitest";
import { mayCall } from "../../../src/domain/sessions/tool-names.ts";

const reader = { tools: ["comment"], capabilities: ["read"] } as const;

it.each([
  ["comment", true],
  ["view", true],
  ["label", false],
  ["edit", false],
  ["bash", false],
  ["toString", false],
])("a role that reads and comments may call %s: %s", (tool, may) => {
  expect(mayCall(reader, tool)).toBe(may);
});

it("every tool behind a capability comes with it", () => {
  const coder = { tools: [], capabilities: ["read", "edit", "shell"] } as const;
  for (const tool of ["rg", "apply_patch", "read_bash"]) expect(mayCall(coder, tool)).toBe(true);
});

it("lets every role leave word to its next conversation", () => {
  expect(mayCall({ tools: [], capabilities: [] }, "write_handoff")).toBe(true);
});
