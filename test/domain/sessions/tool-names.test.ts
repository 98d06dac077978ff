import { expect, it } from "vitest";
import type { RuntimeTools } from "../../../src/domain/ports/agent-runtime.ts";
import { mayCall } from "../../../src/domain/sessions/tool-names.ts";

/** A runtime with a shell of another name. */
const runtimeTools: RuntimeTools = new Map([
  ["look", { kind: "read", capability: "read" }],
  ["patch", { kind: "edit", capability: "edit" }],
  ["zsh", { kind: "shell", capability: "shell" }],
  ["read_zsh", { kind: "read", capability: "shell" }],
  ["fetch", { kind: "network", capability: null }],
]);
const reader = { tools: ["comment"], mcpTools: ["docs__search"], capabilities: ["read"] } as const;

it.each([
  ["comment", true],
  ["look", true],
  ["docs__search", true],
  ["docs__delete", false],
  ["label", false],
  ["patch", false],
  ["zsh", false],
  ["fetch", false],
  ["toString", false],
])("a role that reads and comments may call %s: %s", (tool, may) => {
  expect(mayCall(reader, tool, runtimeTools)).toBe(may);
});

it("every tool behind a capability comes with it", () => {
  const coder = { tools: [], mcpTools: [], capabilities: ["read", "edit", "shell"] } as const;
  for (const tool of ["look", "patch", "read_zsh"]) expect(mayCall(coder, tool, runtimeTools)).toBe(true);
});

it("lets every role leave word to its next conversation", () => {
  expect(mayCall({ tools: [], mcpTools: [], capabilities: [] }, "write_handoff", runtimeTools)).toBe(true);
});
