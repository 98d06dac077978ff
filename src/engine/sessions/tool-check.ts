import type { ToolCall, ToolGateAnswer } from "../../domain/ports/agent-runtime.ts";

/** `asked`: the call waits for a person, who was asked about it by this hash. */
export type CheckAnswer = ToolGateAnswer & { readonly asked?: string };

/** A check of a call before it runs. */
export type ToolCheck = (call: ToolCall) => CheckAnswer | Promise<CheckAnswer>;
