import type { ToolCall, ToolGateAnswer } from "../../domain/ports/agent-runtime.ts";

/** One thing to ask about a call before it runs. */
export type ToolCheck = (call: ToolCall) => ToolGateAnswer | Promise<ToolGateAnswer>;
