import {
  type ProviderConfig,
  type SessionConfig,
  type Tool,
  type ToolResultObject,
  ToolSet,
} from "@github/copilot-sdk";
import { messageOf, RuntimeError } from "../../../domain/kernel/errors.ts";
import { MOST_PICTURES, MOST_SHOWN } from "../../../domain/pictures/picture.ts";
import type { HostTool, ModelProvider, SessionSpec } from "../../../domain/ports/agent-runtime.ts";
import { PLACEHOLDER_KEY } from "../gateway/model-gateway.ts";
import { sessionDirectories } from "../process/agent-environment.ts";
import { builtinToolsFor, refusedTools } from "./builtin-tools.ts";
import type { GatedCalls } from "./gated-calls.ts";
import { decidePermission } from "./permissions.ts";
import { toolGuidance } from "./tool-guidance.ts";

/**
 * Builds the configuration of a session. The runtime keeps only the conversation, so create and every resume
 * get the same configuration. `on.terminal` tells the current exchange that a terminal tool succeeded.
 */
export function sessionConfig(
  spec: SessionSpec,
  on: { terminal: () => void; calls: GatedCalls },
): Omit<SessionConfig, "sessionId"> {
  return {
    model: spec.model,
    ...(spec.sees ? { modelCapabilities: SIGHT } : {}),
    workingDirectory: spec.workingDirectory,
    ...(spec.provider ? { provider: providerConfig(spec.provider) } : {}),
    ...(spec.accountKey && !spec.provider ? { gitHubToken: spec.accountKey } : {}),
    // The runtime's own text contradicts ours: it tells the model to ask a user and that nothing confines it.
    systemMessage: {
      mode: "replace",
      content: `${spec.systemPrompt}\n\n${toolGuidance(spec.capabilities)}`,
    },
    tools: spec.tools.map((tool) => toSdkTool(tool, on.calls, on.terminal)),
    availableTools: new ToolSet().addBuiltIn(builtinToolsFor(spec.capabilities)).addCustom("*"),
    excludedTools: new ToolSet().addBuiltIn(refusedTools),
    // Repository hooks would run without a permission request.
    enableFileHooks: false,
    enableConfigDiscovery: false,
    streaming: true,
    // A safety net only: the host hands over to a new conversation earlier, at 90 % of the window.
    infiniteSessions: { enabled: true, backgroundCompactionThreshold: 0.95, bufferExhaustionThreshold: 0.98 },
    largeOutput: { outputDirectory: sessionDirectories(spec.baseDirectory).tmp },
    onPermissionRequest: (request) => decidePermission(request, spec),
    hooks: {
      onPostToolUse: ({ toolName }) => (isTerminal(spec, toolName) ? undefined : remarkOf(spec)),
      onPostToolUseFailure: () => remarkOf(spec),
      onPreToolUse: ({ toolName, toolArgs }) => on.calls.ask({ toolName, args: toolArgs }),
    },
  };
}

/** The operator says which models see: the runtime does not know every model. */
const SIGHT: NonNullable<SessionConfig["modelCapabilities"]> = {
  supports: { vision: true },
  limits: {
    vision: {
      supported_media_types: ["image/jpeg", "image/png", "image/gif", "image/webp"],
      max_prompt_images: MOST_PICTURES,
      max_prompt_image_size: MOST_SHOWN,
    },
  },
};

/** Called for a successful call: returns whether it was the last one of its exchange. */
function isTerminal({ tools }: SessionSpec, toolName: string): boolean {
  return tools.some(({ name, terminal }) => terminal && name === toolName);
}

/** The runtime shows it to the model together with the tool's answer. */
async function remarkOf({ remark }: SessionSpec): Promise<{ additionalContext: string } | undefined> {
  const text = await remark();
  return text === null ? undefined : { additionalContext: text };
}

/** Throws `RuntimeError` for a provider whose API the SDK does not speak. */
function providerConfig(provider: ModelProvider): ProviderConfig {
  const { type } = provider;
  if (type === "gemini")
    throw new RuntimeError("api_not_spoken", "the Copilot runtime does not speak the API of Gemini", {
      consequence: "tell",
      advice: "Configure a provider of another type for it, or another runtime for this provider.",
    });
  return {
    type,
    wireApi: provider.wireApi,
    baseUrl: provider.baseUrl,
    apiKey: PLACEHOLDER_KEY,
    ...(provider.maxPromptTokens === undefined ? {} : { maxPromptTokens: provider.maxPromptTokens }),
  };
}

/**
 * Converts one of our tools for the SDK: the permission handler never asks about it, and tool search never
 * hides it. The tool itself asks the gate for each call. `onTerminal` is called when a successful call ends
 * the turn.
 */
function toSdkTool(tool: HostTool, calls: GatedCalls, onTerminal: () => void): Tool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: { ...tool.parameters },
    isTerminal: tool.terminal,
    skipPermission: true,
    defer: "never",
    async handler(args, invocation): Promise<ToolResultObject> {
      try {
        const { toolCallId } = invocation;
        const refusal = await calls.refusal(toolCallId, { toolName: tool.name, args });
        if (refusal !== undefined) return { textResultForLlm: refusal, resultType: "denied" };
        const answer = await tool.call(args, {
          toolCallId,
          signal: invocation.signal ?? new AbortController().signal,
        });
        if (answer.ok && tool.terminal) onTerminal();
        return { textResultForLlm: answer.text, resultType: answer.ok ? "success" : "failure" };
      } catch (error) {
        // The SDK would hide the reason from the model, which would then repeat the call.
        return { textResultForLlm: `The tool failed: ${messageOf(error)}`, resultType: "failure" };
      }
    },
  };
}
