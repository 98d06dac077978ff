import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { removeTree } from "../../../../src/adapters/git/worktree/remove-tree.ts";
import { createCopilotRuntime } from "../../../../src/adapters/runtimes/copilot/runtime.ts";
import { findRuntime } from "../../../../src/adapters/runtimes/copilot/runtime-path.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { markedProcesses } from "../../../../src/adapters/sandbox/marked-processes.ts";
import { createUnconfinedRunner } from "../../../../src/adapters/sandbox/none.ts";
import type { Runner } from "../../../../src/domain/ports/runner.ts";
import { createRig, longMs, type Rig } from "../../../contracts/agent-runtime-rig.ts";
import { realClock } from "../real-harness.ts";
import { startCopilot } from "./copilot-harness.ts";

const script = { conversations: [{ match: "", steps: [{ say: "Hello." }] }] };
const GEMINI = {
  type: "gemini",
  baseUrl: "https://gemini.example",
  apiKey: "k",
  wireApi: "completions",
  maxPromptTokens: undefined,
} as const;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

describe("a session that cannot be opened", { timeout: 60_000 }, () => {
  let rig: Rig;
  afterEach(() => rig.close());

  test("whose conversation is damaged says so for good, leaves no process, and keeps the conversation", async () => {
    rig = createRig(await startCopilot(script));
    const { session, spec } = await rig.open();
    await session.exchange("x", { deadlineMs: longMs });
    await session.stop();
    const log = join(spec.baseDirectory, "session-state", spec.sessionId, "events.jsonl");
    await writeFile(log, "garbage\n");
    const failure = { name: "RuntimeError", code: "session_damaged", consequence: "stop" };
    await expect(rig.open({ sessionId: spec.sessionId })).rejects.toMatchObject(failure);
    await expect(rig.open({ sessionId: spec.sessionId })).rejects.toMatchObject(failure);
    expect(await markedProcesses([spec.sessionId])).toEqual([]);
  });

  test("but whose log is empty is begun again: nothing was said in it", async () => {
    rig = createRig(await startCopilot(script));
    const { session, spec } = await rig.open();
    await session.exchange("x", { deadlineMs: longMs });
    await session.stop();
    await truncate(join(spec.baseDirectory, "session-state", spec.sessionId, "events.jsonl"));
    expect((await rig.open({ sessionId: spec.sessionId })).session.resumed).toBe(false);
  });

  test("but whose log ends before its first message is begun again: the model would not know its task", async () => {
    rig = createRig(await startCopilot(script));
    const { session, spec } = await rig.open();
    await session.exchange("the task", { deadlineMs: longMs });
    await session.stop();
    const log = join(spec.baseDirectory, "session-state", spec.sessionId, "events.jsonl");
    const events = (await readFile(log, "utf8")).split("\n");
    const first = events.findIndex((event) => event.includes('"type":"user.message"'));
    expect(first).toBeGreaterThan(0);
    await writeFile(log, `${events.slice(0, first).join("\n")}\n`);
    expect((await rig.open({ sessionId: spec.sessionId })).session.resumed).toBe(false);
  });

  test.each([
    [{ workingDirectory: "/no/such/worktree" }, "worktree_missing", "retry"],
    [{ provider: undefined, accountKey: undefined }, "no_credential", "tell"],
    [{ provider: GEMINI }, "api_not_spoken", "tell"],
    [{ sessionId: "../../etc" }, "invalid_session_id", "stop"],
  ])("by %j has the code %s", async (overrides, code, consequence) => {
    rig = createRig(await startCopilot(script));
    await expect(rig.open(overrides)).rejects.toMatchObject({
      code,
      consequence,
      advice: expect.any(String),
    });
  });

  test("with a tool named like one of the runtime's is refused before it starts", async () => {
    rig = createRig(await startCopilot(script));
    const tool = {
      name: "view",
      description: "",
      parameters: {},
      terminal: false,
      call: () => Promise.reject(new Error()),
    };
    await expect(rig.open({ tools: [tool] })).rejects.toMatchObject({ code: "tool_name_taken" });
  });

  test("because its process ends at once may be tried again", async () => {
    const harness = await startCopilot(script);
    const runner: Runner = {
      ...createUnconfinedRunner(realClock),
      description: "ends at once",
      confine: (command) => Promise.resolve({ ...command, file: "/bin/false" }),
    };
    const runtime = createCopilotRuntime({
      removeTree,
      refusedModels: new RefusedModels(realClock),
      runner,
      hosts: [],
      registries: false,
      log: silent,
      clock: realClock,
      env: {},
    });
    rig = createRig({ ...harness, runtime });
    await expect(rig.open()).rejects.toMatchObject({ code: "start_failed", consequence: "retry" });
  });

  test("deleting by an id that leads elsewhere is refused", async () => {
    rig = createRig(await startCopilot(script));
    const place = { baseDirectory: rig.place.baseDirectory, sessionId: ".." };
    await expect(rig.runtime.destroy(place)).rejects.toMatchObject({ code: "invalid_session_id" });
  });
});

test("a platform without a runtime is told to install it", () => {
  expect(() => findRuntime("sunos", "x64")).toThrow(expect.objectContaining({ code: "runtime_missing" }));
  expect(findRuntime()).toMatch(/copilot-runtime$/);
});
