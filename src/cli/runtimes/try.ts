import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../../adapters/git/worktree/remove-tree.ts";
import { agentDirectory, installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import { createAcpRuntime } from "../../adapters/runtimes/acp/runtime.ts";
import { RefusedModels } from "../../adapters/runtimes/gateway/refused-models.ts";
import { createBubblewrapRunner } from "../../adapters/sandbox/bubblewrap.ts";
import { findBubblewrap } from "../../adapters/sandbox/find-bubblewrap.ts";
import { NO_GROUPS } from "../../adapters/sandbox/groups/agent-groups.ts";
import { scriptSchema } from "../../demo/model/script.ts";
import { type ScriptedModel, startScriptedModel } from "../../demo/model/scripted-model.ts";
import type { HostTool, ModelProvider, SessionSpec } from "../../domain/ports/agent-runtime.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { CommandContext } from "../command.ts";
import { dataDirectory } from "../data-directory.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { layBait, takenBait } from "./bait.ts";
import { type InstallablePreset, namedPreset } from "./named-preset.ts";

const LIMIT_MS = 120_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The agent notes something with a tool of ours, then says that it is done. */
const SCRIPT = scriptSchema.parse({
  conversations: [{ match: "note the word", steps: [{ call: [{ tool: "note" }] }, { say: "Done." }] }],
});

/** `flotilla runtimes try`: a turn of an installed agent in the sandbox, against a scripted model; costs nothing. */
export async function tryAgent(context: CommandContext): Promise<number> {
  const preset = namedPreset(context, "try");
  if (typeof preset === "number") return preset;
  const { print, options, env } = context;
  const packages = agentDirectory(dataDirectory(context), preset.name);
  const version = installedVersion(preset, packages);
  if (version === null)
    return refused(
      context,
      `${preset.title} is not installed.`,
      `Run \`flotilla runtimes add ${preset.name}\`.`,
    );
  const bwrap = findBubblewrap(env["PATH"] ?? "");
  if (bwrap === null)
    return refused(
      context,
      "bubblewrap is not installed, and a runtime is tried only in the sandbox.",
      "Install bubblewrap, for example with `apt-get install bubblewrap`.",
    );
  const result = await working(`${preset.title} works`, () => turn(preset, { packages, bwrap, env }));
  const isAsTried = version === preset.package.version;
  const isGood = result.end === "idle" && result.noted && result.started.length === 0;
  if (options["json"] === true)
    print(
      JSON.stringify({ name: preset.name, version, tried: preset.package.version, good: isGood, ...result }),
    );
  else {
    print(
      `${preset.title} ${version}${isAsTried ? "" : `; Flotilla was tested with ${preset.package.version}`}.`,
    );
    print(`Its turn ended as ${result.end}, ${result.noted ? "with" : "without"} a call of Flotilla's tool.`);
    print(`First model call after ${result.firstCallMs} ms, with about ${result.promptTokens} tokens.`);
    print(
      result.started.length === 0
        ? "It started no program that the repository's files name."
        : `It started programs that these files of the repository name: ${result.started.join(", ")}.`,
    );
    for (const sentence of preset.cannot) print(sentence);
    print(
      isGood
        ? `To use it, name it below \`runtimes\` in the configuration: docs/runtimes.md shows how.`
        : `Do not use it. Run \`flotilla runtimes add ${preset.name}\`, and try it again.`,
    );
  }
  return isGood ? 0 : 2;
}

interface Turn {
  /** How the turn ended. */
  readonly end: string;
  /** Whether Flotilla's tool was called. */
  readonly noted: boolean;
  /** From the start of the process; null where no call came. */
  readonly firstCallMs: number | null;
  readonly promptTokens: number | null;
  /** The files of the bait whose programs ran. */
  readonly started: readonly string[];
}

async function turn(
  preset: InstallablePreset,
  host: { readonly packages: string; readonly bwrap: string; readonly env: CommandContext["env"] },
): Promise<Turn> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "flotilla-try-")));
  const begun = systemClock.now();
  let firstCallMs: number | null = null;
  let promptTokens: number | null = null;
  let noted = false;
  const observe = (): void => void (firstCallMs ??= systemClock.now() - begun);
  const model = await startScriptedModel({ script: SCRIPT, host: "127.0.0.1", port: 0, observe });
  const worktree = join(root, "worktree");
  await mkdir(worktree);
  await layBait(worktree);
  const note: HostTool = {
    name: "note",
    description: "Takes a note.",
    parameters: { type: "object", properties: {} },
    terminal: false,
    call() {
      noted = true;
      return Promise.resolve({ ok: true, text: "noted" });
    },
  };
  try {
    const runtime = createAcpRuntime(preset, {
      name: preset.name,
      packages: host.packages,
      log: silent,
      clock: systemClock,
      env: host.env,
      hosts: [],
      registries: false,
      removeTree,
      refusedModels: new RefusedModels(systemClock),
      runner: confinedRunner(host.bwrap),
    });
    const spec: SessionSpec = {
      sessionId: "try",
      baseDirectory: join(root, "session"),
      workingDirectory: worktree,
      sentFile: join(root, "sent"),
      environment: {},
      model: "scripted",
      otherModels: [],
      effort: undefined,
      sees: false,
      temperature: undefined,
      provider: providerOf(preset, model),
      accountKey: undefined,
      systemPrompt: `You are tried.\nWorking directory: ${worktree}`,
      capabilities: ["read", "edit", "shell"],
      tools: [note],
      gate: () => ({ allow: true }),
      mayCallModel: () => null,
      remark: () => null,
      onEvent(event) {
        if (event.type === "usage" && event.inputTokens > 0)
          promptTokens = Math.max(promptTokens ?? 0, event.inputTokens);
      },
    };
    const session = await runtime.open(spec);
    const end = await session.exchange("note the word", { deadlineMs: LIMIT_MS });
    await session.stop();
    return { end: end.kind, noted, firstCallMs, promptTokens, started: await takenBait(worktree) };
  } finally {
    await model.close();
    await removeTree(root);
  }
}

const noWayOut = () => Promise.reject(new Error("an agent that is tried reaches no network"));

function confinedRunner(bwrap: string) {
  return createBubblewrapRunner({
    clock: systemClock,
    bwrap,
    hidden: [homedir()],
    egress: { directoryFor: noWayOut, open: noWayOut },
    registries: [],
    gitOf: () => null,
    groups: NO_GROUPS,
  });
}

function providerOf({ api }: InstallablePreset, model: ScriptedModel): ModelProvider {
  const isOpenAi = api === "completions" || api === "responses";
  return {
    type: isOpenAi ? "openai" : api,
    wireApi: api === "responses" ? "responses" : "completions",
    baseUrl: isOpenAi ? model.url : model.origin,
    apiKey: "no-key",
    maxPromptTokens: undefined,
  };
}
