import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  builtinTools,
  builtinToolsFor,
  refusedTools,
} from "../../../../src/adapters/runtimes/copilot/builtin-tools.ts";
import { agentEnvironment } from "../../../../src/adapters/runtimes/process/agent-environment.ts";
import { TOOL_NAMES } from "../../../../src/engine/tools/catalog.ts";

const models = ["", "gpt-5.2-codex", "gpt-5.4", "claude-sonnet-4.5", "gemini-2.5-pro"];
let client: CopilotClient;
let baseDirectory: string;
const offered = new Map<string, string[]>();

beforeAll(async () => {
  baseDirectory = await mkdtemp(join(tmpdir(), "flotilla-tools-"));
  client = new CopilotClient({
    mode: "empty",
    baseDirectory,
    useLoggedInUser: false,
    connection: RuntimeConnection.forStdio({
      env: agentEnvironment(
        process.env,
        { sessionId: "tools", baseDirectory, environment: {} },
        { COPILOT_OFFLINE: "true" },
      ),
    }),
  });
  await client.start();
  for (const model of models) {
    const { tools } = await client.rpc.tools.list(model === "" ? {} : { model });
    offered.set(
      model,
      tools.map(({ name }) => name),
    );
  }
}, 60_000);

afterAll(async () => {
  await client.stop();
  await rm(baseDirectory, { recursive: true, force: true });
});

test.each(models)("every tool of the runtime with model '%s' is known by name", (model) => {
  const names = offered.get(model) ?? [];
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !builtinTools.has(name))).toEqual([]);
});

test.each(models)(
  "each capability has a tool with model '%s', and every tool is allowed or refused on purpose",
  (model) => {
    const names = offered.get(model) ?? [];
    for (const capability of ["read", "edit", "shell"] as const)
      expect(names.some((name) => builtinToolsFor([capability]).includes(name))).toBe(true);
    const decided = new Set([...builtinToolsFor(["read", "edit", "shell"]), ...refusedTools]);
    expect(names.filter((name) => !decided.has(name))).toEqual([]);
  },
);

test("every tool that a capability names exists with some model", () => {
  const everything = new Set([...offered.values()].flat());
  expect(builtinToolsFor(["read", "edit", "shell"]).filter((name) => !everything.has(name))).toEqual([]);
});

test("no tool of ours is named like one of the runtime's", () => {
  const everything = new Set([...offered.values()].flat());
  expect(TOOL_NAMES).not.toEqual([]);
  expect(TOOL_NAMES.filter((name) => everything.has(name) || builtinTools.has(name))).toEqual([]);
});
