import { expect, test } from "vitest";
import { GatewayRequests } from "../../../../src/adapters/runtimes/copilot/gateway-requests.ts";
import { ModelGateway } from "../../../../src/adapters/runtimes/gateway/model-gateway.ts";
import { RefusedModels } from "../../../../src/adapters/runtimes/gateway/refused-models.ts";
import { SentMessages } from "../../../../src/adapters/runtimes/gateway/sent-messages.ts";
import type { ModelProvider } from "../../../../src/domain/ports/agent-runtime.ts";
import { realClock } from "../real-harness.ts";

/** Asked for a web socket as the SDK asks. */
class Asked extends GatewayRequests {
  askForSocket(url: string): Promise<unknown> {
    const { signal } = new AbortController();
    return this.openWebSocket({ requestId: "1", transport: "websocket", url, headers: {}, signal });
  }
}

test("a web socket is opened to nobody, and whom the runtime asked for is logged", async () => {
  const logged: object[] = [];
  const keep = (fields: object) => void logged.push(fields);
  const provider: ModelProvider = {
    type: "openai",
    baseUrl: "http://127.0.0.1:1/v1",
    apiKey: "k",
    wireApi: "completions",
    maxPromptTokens: undefined,
  };
  const session = {
    provider,
    otherModels: [],
    effort: undefined,
    sessionId: "s",
    model: "own",
    temperature: undefined,
    mayCallModel: () => null,
    onEvent: () => undefined,
  };
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const messages = await SentMessages.open(null, log);
  const asked = new Asked(
    new ModelGateway(session, { log, messages, clock: realClock, refused: new RefusedModels(realClock) }),
  );
  await expect(asked.askForSocket("wss://example.com/v1/chat")).rejects.toThrow("by HTTP alone");
  expect(logged).toEqual([{ url: "wss://example.com" }]);
});
