import {
  type CopilotRequestContext,
  CopilotRequestHandler,
  type CopilotWebSocketHandler,
} from "@github/copilot-sdk";
import type { ModelGateway } from "../gateway/model-gateway.ts";

/** Passes the HTTP requests that the runtime process sends over its pipe to the gateway. */
export class GatewayRequests extends CopilotRequestHandler {
  readonly #gateway: ModelGateway;

  constructor(gateway: ModelGateway) {
    super();
    this.#gateway = gateway;
  }

  protected override sendRequest(request: Request, { signal }: CopilotRequestContext): Promise<Response> {
    return this.#gateway.send(request, signal);
  }

  protected override openWebSocket({ url }: CopilotRequestContext): Promise<CopilotWebSocketHandler> {
    this.#gateway.notTheProvider(url);
    return Promise.reject(new Error("model calls go by HTTP alone"));
  }
}
