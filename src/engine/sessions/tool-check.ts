import type { ToolCall, ToolGateAnswer } from "../../domain/ports/agent-runtime.ts";

/** A check of a call before it runs. */
export type ToolCheck = (call: ToolCall) => ToolGateAnswer | Promise<ToolGateAnswer>;
