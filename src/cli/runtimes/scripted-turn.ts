import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import { createAcpRuntime } from "../../adapters/runtimes/acp/runtime.ts";
import type { Api } from "../../adapters/runtimes/gateway/dialects/dialect.ts";
import { RefusedModels } from "../../adapters/runtimes/gateway/refused-models.ts";
import type { RuntimeHost } from "../../adapters/runtimes/runtime-entry.ts";
import { scriptSchema } from "../../demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../demo/model/scripted-model.ts";
import { messageOf, RuntimeError } from "../../domain/kernel/errors.ts";
import type { AgentRuntime, HostTool, ModelProvider, SessionSpec } from "../../domain/ports/agent-runtime.ts";
import type { Runner } from "../../domain/ports/runner.ts";
import type { AgentProgram } from "../../server/agent-programs.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { CommandContext } from "../command.ts";
import { untilInterrupted } from "../until-interrupted.ts";
import { layBait, takenBait } from "./bait.ts";
import { fileAdvice } from "./file-faults.ts";

const START_MS = 60_000;
const LIMIT_MS = 120_000;
/** Between two looks for processes of a trial that was interrupted. */
const AGAIN_MS = 100;
const MOST_LOOKS = 20;
/** Of a token, about. */
const CHARACTERS = 4;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A tool of ours for a turn in which nothing else is called. */
export const NOTE = {
  name: "note",
  description: "Takes a note.",
  parameters: { type: "object", properties: {} },
  terminal: false,
} as const satisfies Omit<HostTool, "call">;

/** A runtime as it is tried, and the API by which it asks its models. */
export interface Trial {
  readonly create: (host: RuntimeHost) => AgentRuntime;
  readonly api: Api;
  readonly runner: Runner;
  readonly env: CommandContext["env"];
  /** What the agent is like; left out: one that may do everything, with one tool of ours. */
  readonly as?: {
    readonly systemPrompt: string;
    readonly deadlineMs: number;
    readonly mayCallModel: SessionSpec["mayCallModel"];
    /** Of ours; none of them runs. */
    readonly tools: readonly Omit<HostTool, "call">[];
    /** The name of the one that is called. */
    readonly calls: string;
  } & Pick<SessionSpec, "capabilities" | "model" | "effort" | "temperature">;
}

/** What came of a turn. */
export interface Turn {
  /** How it ended. */
  readonly end: string;
  /** What the agent or the model said of an end that is not good; null where nothing is known. */
  readonly detail: string | null;
  /** Whether Flotilla's tool was called. */
  readonly called: boolean;
  /** Milliseconds from the start of the process; null where no call came. */
  readonly firstCallMs: number | null;
  /** Of the longest model call, about. */
  readonly promptTokens: number | null;
  readonly modelCalls: number;
  /** Tokens of all model calls. */
  readonly used: {
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  /** The files of the bait whose programs ran. */
  readonly started: readonly string[];
}

/** Returns how a program of `runtimes` is made for a trial. */
export function creates({ name, preset, packages }: AgentProgram): Trial["create"] {
  return (host) => createAcpRuntime(preset, { ...host, name, packages, startMs: START_MS });
}

/**
 * Has a runtime do one turn in a repository full of bait, against a model that follows a script: its agent calls a tool of ours and
 * says that it is done. Costs nothing, and leaves nothing, also where it is interrupted. Throws what the runtime throws where its
 * session cannot be opened, and `RuntimeError` interrupted.
 */
export function scriptedTurn(trial: Trial): Promise<Turn> {
  return untilInterrupted(async (signal) => {
    let root: string | undefined;
    try {
      root = await realpath(await mkdtemp(join(tmpdir(), "flotilla-try-")));
      return await turnIn(root, trial, signal);
    } catch (error) {
      throw fileAdvice(error) === null ? error : noPlace(error);
    } finally {
      if (root !== undefined) await removeTree(root);
    }
  });
}

function noPlace(cause: unknown): RuntimeError {
  return new RuntimeError("no_place", `The trial cannot write its files: ${messageOf(cause)}.`, {
    consequence: "tell",
    advice: "Set TMPDIR to a directory that this user may write, on a disk with space left.",
    cause,
  });
}

async function turnIn(root: string, trial: Trial, signal: AbortSignal): Promise<Turn> {
  const { create, api, runner, env, as } = trial;
  const begun = systemClock.now();
  const calls = as?.calls ?? NOTE.name;
  const message = `Call the tool ${calls}, then say that you are done.`;
  const steps = [{ call: [{ tool: calls }] }, { say: "Done." }];
  let firstCallMs: number | null = null;
  let modelCalls = 0;
  let promptTokens: number | null = null;
  let called = false;
  const used = { inputTokens: 0, outputTokens: 0 };
  const model = await startScriptedModel({
    script: scriptSchema.parse({ conversations: [{ match: `Call the tool ${calls}`, steps }] }),
    host: "127.0.0.1",
    port: 0,
    observe({ body }) {
      firstCallMs ??= systemClock.now() - begun;
      modelCalls += 1;
      // The script's own count leaves out the descriptions of tools.
      const tokens = Math.ceil(body.length / CHARACTERS);
      used.inputTokens += tokens;
      promptTokens = Math.max(promptTokens ?? 0, tokens);
    },
  });
  const call = () => {
    called = true;
    return Promise.resolve({ ok: true, text: "noted" });
  };
  const worktree = join(root, "worktree");
  const place = { sessionId: "try", baseDirectory: join(root, "session") };
  try {
    await mkdir(worktree);
    await layBait(worktree);
    const runtime = create({
      log: silent,
      clock: systemClock,
      env,
      hosts: [],
      registries: false,
      removeTree,
      refusedModels: new RefusedModels(systemClock),
      runner,
      openMs: START_MS,
    });
    const spec: SessionSpec = {
      ...place,
      workingDirectory: worktree,
      sentFile: join(root, "sent"),
      environment: {},
      model: as?.model ?? "scripted",
      otherModels: [],
      effort: as?.effort,
      sees: false,
      temperature: as?.temperature,
      provider: providerOf(api, model),
      accountKey: undefined,
      systemPrompt: as?.systemPrompt ?? `You are tried.\nWorking directory: ${worktree}`,
      capabilities: as?.capabilities ?? ["read", "edit", "shell"],
      tools: (as?.tools ?? [NOTE]).map((tool) => ({ ...tool, call })),
      gate: () => ({ allow: true }),
      mayCallModel: as?.mayCallModel ?? (() => null),
      remark: () => null,
      onEvent(event) {
        if (event.type === "usage") used.outputTokens += event.outputTokens;
      },
    };
    const exchanged = async () => {
      const session = await runtime.open(spec);
      const ended = await session.exchange(message, { deadlineMs: as?.deadlineMs ?? LIMIT_MS });
      await session.stop();
      return ended;
    };
    const end = await unlessInterrupted(exchanged(), signal, () => runtime.reap([place]));
    return {
      end: end.kind,
      detail: "detail" in end ? end.detail : null,
      called,
      firstCallMs,
      promptTokens,
      modelCalls,
      used,
      started: await takenBait(worktree),
    };
  } finally {
    await model.close();
  }
}

/** Returns what the work comes to. When `signal` is aborted, ends its processes, and throws. */
async function unlessInterrupted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  endProcesses: () => Promise<unknown>,
): Promise<T> {
  const over = work.then(
    () => true,
    () => true,
  );
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([over, interrupted]);
  if (!signal.aborted) return work;
  // One that was about to start has no process yet; and a runtime may not notice that its process has ended.
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await endProcesses();
    const later = new Promise<false>((resolve) => void systemClock.after(AGAIN_MS, () => resolve(false)));
    if (await Promise.race([over, later])) break;
  }
  throw new RuntimeError("interrupted", "The trial was interrupted.", {
    consequence: "tell",
    advice: "Run it again: nothing of it is left.",
  });
}

function providerOf(api: Api, model: ScriptedModel): ModelProvider {
  const isOpenAi = api === "completions" || api === "responses";
  return {
    type: isOpenAi ? "openai" : api,
    wireApi: api === "responses" ? "responses" : "completions",
    baseUrl: isOpenAi ? model.url : model.origin,
    apiKey: "no-key",
    maxPromptTokens: undefined,
  };
}
