import type { Preset } from "../../src/adapters/runtimes/acp/preset.ts";
import { createAcpRuntime } from "../../src/adapters/runtimes/acp/runtime.ts";
import type { ScriptInput } from "../../src/demo/model/script.ts";
import type { Log } from "../../src/domain/ports/log.ts";
import { type RealHarness, startRealHarness } from "../adapters/runtimes/real-harness.ts";
import { confinedRunner } from "../adapters/sandbox/bubblewrap-here.ts";
import { packagesOf } from "./install-agents.ts";

const APIS = {
  completions: "chat",
  responses: "responses",
  anthropic: "anthropic",
  gemini: "gemini",
} as const;

/** How each agent's shell is called, where the scripts of the contract call `bash`. */
const SHELLS: Readonly<Record<string, (command: string) => { tool: string; args: Record<string, unknown> }>> =
  {
    claude: (command) => ({ tool: "Bash", args: { command, description: "Say it" } }),
    codex: (cmd) => ({ tool: "exec_command", args: { cmd } }),
    gemini: (command) => ({ tool: "run_shell_command", args: { command, description: "Say it" } }),
    opencode: (command) => ({ tool: "bash", args: { command, description: "Say it" } }),
    qwen: (command) => ({
      tool: "run_shell_command",
      args: { command, description: "Say it", is_background: false },
    }),
  };

/** A call of the agent's own shell. `name` = its preset's. */
export function shellCall(name: string, command: string): { tool: string; args: Record<string, unknown> } {
  return SHELLS[name]?.(command) ?? { tool: "bash", args: { command } };
}

/** A real agent, confined, against the scripted model in the agent's own API. */
export function startAgent(
  preset: Preset,
  script: ScriptInput,
  more: { readonly log?: Log } = {},
): Promise<RealHarness> {
  return startRealHarness(
    {
      create: (host) =>
        createAcpRuntime(preset, { ...host, ...more, name: preset.name, packages: packagesOf(preset) }),
    },
    inWordsOf(preset, script),
    { runner: confinedRunner, api: APIS[preset.api] },
  );
}

function inWordsOf({ name }: Preset, { conversations }: ScriptInput): ScriptInput {
  return {
    conversations: conversations.map((conversation) => ({
      ...conversation,
      steps: conversation.steps.map(({ call, ...step }) => ({
        ...step,
        ...(call === undefined
          ? {}
          : {
              call: call.map((one) =>
                one.tool === "bash" ? shellCall(name, String(one.args?.["command"])) : one,
              ),
            }),
      })),
    })),
  };
}
