import type { CallsHost } from "./model-calls.ts";
import { Remarks } from "./remarks.ts";
import { type GatewaySpec, SessionCalls } from "./session-calls.ts";
import type { SessionGateway } from "./session-gateway.ts";

/**
 * `remarksFile` is one that the agent cannot reach; `toolName` turns the model's name of a tool into ours. An agent that
 * `takesBack` a cancelled turn is given an answer in place of a last refusal.
 */
export async function createSessionGateway(
  spec: GatewaySpec,
  host: CallsHost & {
    readonly remarksFile: string | null;
    readonly toolName: (raw: string) => string;
    readonly takesBack: boolean;
  },
): Promise<SessionGateway> {
  const remarks = await Remarks.open(host.remarksFile, host.log);
  return new SessionCalls(spec, { ...host, remarks });
}
