import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../../src/adapters/git/worktree/remove-tree.ts";
import { RefusedModels } from "../../../src/adapters/runtimes/gateway/refused-models.ts";
import type { RuntimeEntry } from "../../../src/adapters/runtimes/runtime-entry.ts";
import { killMarkedProcesses } from "../../../src/adapters/sandbox/marked-processes.ts";
import { createUnconfinedRunner } from "../../../src/adapters/sandbox/none.ts";
import type { ModelRequest } from "../../../src/demo/model/model-request.ts";
import { type ScriptInput, scriptSchema } from "../../../src/demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../../src/demo/model/scripted-model.ts";
import type { ModelProvider } from "../../../src/domain/ports/agent-runtime.ts";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import type { Runner } from "../../../src/domain/ports/runner.ts";
import type { RuntimeHarness } from "../../contracts/agent-runtime-rig.ts";

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export interface RealHarness extends RuntimeHarness {
  readonly modelRequests: readonly ModelRequest[];
}

/** A real runtime against the scripted model, in a directory of its own. */
export async function startRealHarness(
  { create }: Pick<RuntimeEntry, "create">,
  script: ScriptInput,
  options: {
    clock?: Clock;
    env?: Record<string, string>;
    runner?: (clock: Clock) => Runner;
    api?: ModelRequest["api"];
  } = {},
): Promise<RealHarness> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "flotilla-runtime-")));
  const workingDirectory = join(root, "worktree");
  await mkdir(workingDirectory);
  const waiting: { count: number; resolve: () => void }[] = [];
  const model = await startScriptedModel({
    script: scriptSchema.parse(script),
    host: "127.0.0.1",
    port: 0,
    observe: () => {
      for (const { count, resolve } of waiting) if (asked().length >= count) resolve();
    },
  });
  const clock = options.clock ?? realClock;
  /** Without those for a title, which some agents ask for beside the conversation. */
  const asked = () => model.requests.filter(({ tools }) => tools.length > 0);
  return {
    runtime: create({
      removeTree,
      refusedModels: new RefusedModels(clock),
      runner: (options.runner ?? createUnconfinedRunner)(clock),
      log: silent,
      clock,
      env: { ...process.env, ...options.env },
      hosts: [],
      registries: false,
    }),
    place: {
      workingDirectory,
      baseDirectory: join(root, "session"),
      sentFile: join(root, "sent"),
      provider: providerOf(model, options.api ?? "chat"),
    },
    modelRequests: model.requests,
    requests: () => asked().map(({ messages }) => messages),
    requested(count) {
      if (asked().length >= count) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ count, resolve });
      return promise;
    },
    async kill(sessionId) {
      await killMarkedProcesses([sessionId]);
    },
    async close() {
      await model.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function providerOf(model: ScriptedModel, api: ModelRequest["api"]): ModelProvider {
  return {
    type: api === "anthropic" || api === "gemini" ? api : "openai",
    wireApi: api === "responses" ? "responses" : "completions",
    baseUrl: api === "anthropic" || api === "gemini" ? model.origin : model.url,
    apiKey: "the-provider-key",
    maxPromptTokens: undefined,
  };
}
