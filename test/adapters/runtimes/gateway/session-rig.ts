import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createSessionGateway } from "../../../../src/adapters/runtimes/gateway/create-session-gateway.ts";
import type { Api } from "../../../../src/adapters/runtimes/gateway/dialects/dialect.ts";
import { dialectOf } from "../../../../src/adapters/runtimes/gateway/dialects/dialect-of.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import type { GatewaySpec } from "../../../../src/adapters/runtimes/gateway/session-calls.ts";
import { scriptSchema } from "../../../../src/demo/model/script.ts";
import { startScriptedModel } from "../../../../src/demo/model/scripted-model.ts";
import type { HostTool, ModelProvider, RuntimeEvent } from "../../../../src/domain/ports/agent-runtime.ts";
import type { Steps } from "../../../contracts/agent-runtime-rig.ts";
import { createFakeClock } from "../../../fakes/clock.ts";
import { TalkingAgent } from "./talking-agent.ts";

export const APIS = ["completions", "responses", "anthropic", "gemini"] as const;

const log = { debug() {}, info() {}, warn() {}, error() {} };

export function providerOf(api: Api, url: string): ModelProvider {
  const type = api === "anthropic" || api === "gemini" ? api : "openai";
  const baseUrl = type === "openai" ? `${url}/v1` : url;
  const wireApi = api === "responses" ? "responses" : "completions";
  return { type, baseUrl, apiKey: "the-real-key", wireApi, maxPromptTokens: 1000 };
}

const tool = (name: string, terminal = false): HostTool => ({
  name,
  terminal,
  description: name,
  parameters: {},
  call: () => Promise.resolve({ ok: true, text: "" }),
});

/** A model that follows the steps once it is told to do the work. */
export async function scripted(steps: Steps) {
  const script = scriptSchema.parse({ conversations: [{ match: "Role: contract.*do the work", steps }] });
  const model = await startScriptedModel({ script, host: "127.0.0.1", port: 0 });
  onTestFinished(() => model.close());
  return model;
}

/** A session's gateway to a provider at `origin`, with the agent that uses it. */
export async function talking(api: Api, origin: string, more: Partial<GatewaySpec> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-gateway-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const events: RuntimeEvent[] = [];
  const clock = createFakeClock(0);
  const provider = providerOf(api, origin);
  const spec: GatewaySpec = {
    sessionId: "s",
    model: "own",
    otherModels: [],
    effort: undefined,
    temperature: undefined,
    tools: [tool("note"), tool("refuse"), tool("finish", true)],
    mayCallModel: () => null,
    remark: () => null,
    provider,
    onEvent: (event) => void events.push(event),
    ...more,
  };
  const remarksFile = join(directory, "remarks");
  const open = (host: object = {}) =>
    createSessionGateway(spec, {
      log,
      clock,
      refused: new RefusedModels(clock),
      remarksFile,
      takesBack: false,
      toolName: (raw) => raw.replace(/^(?:mcp__host\/)?(?:host_)?/, ""),
      ...host,
    });
  const gateway = await open();
  const agent = new TalkingAgent(dialectOf(provider), gateway);
  const types = () =>
    events.map(({ type }) => type).filter((type) => !/^(?:context|message_delta|sign)$/.test(type));
  return { gateway, agent, events, types, open, spec, remarksFile, clock, dialect: dialectOf(provider) };
}

/** A provider that answers so. */
export async function serving(answer: RequestListener) {
  const server = createServer(answer);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(close);
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, close };
}
