import type { Consequence } from "../kernel/errors.ts";
import type { Picture } from "../pictures/picture.ts";
import type { ServiceHost } from "./service-host.ts";

/** A tool of ours that the model may call. `parameters` is JSON Schema (type object). */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A successful call ends the turn without another model call. */
  readonly terminal: boolean;
  /** Arguments are unchecked: the tool parses them itself. Never throws. */
  call(args: unknown, context: { toolCallId: string; signal: AbortSignal }): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly ok: boolean;
  /** What the model reads. */
  readonly text: string;
}

/**
 * Called before every tool call, built-in ones too; the call waits for the answer, so rows that must exist before a
 * tool runs are written here. It runs for all calls of one turn at the same time.
 */
export type ToolGate = (call: ToolCall) => ToolGateAnswer | Promise<ToolGateAnswer>;
export interface ToolCall {
  readonly toolName: string;
  readonly args: unknown;
}
export type ToolGateAnswer =
  | { readonly allow: true }
  | { readonly allow: false; readonly reason: string; readonly endExchange: boolean };

/** The model provider with an own key; absent where the runtime's own account is used. */
export interface ModelProvider {
  readonly type: "openai" | "anthropic" | "azure" | "gemini";
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly wireApi: "completions" | "responses";
  readonly maxPromptTokens: number | undefined;
}

/** A model at its provider. */
export interface ModelAt {
  readonly provider: ModelProvider;
  readonly model: string;
}

/** How hard a model thinks about each answer. */
export type Effort = "low" | "medium" | "high";

/** What a role may do with the runtime's own tools. */
export type Capability = "read" | "edit" | "shell";

/** A tool of the runtime itself: what it does, under any name. Arguments come from the model, unchecked. */
export interface RuntimeTool {
  readonly kind: "read" | "edit" | "shell" | "network" | "other";
  /** The capability that includes the tool; null: no role gets it. */
  readonly capability: Capability | null;
  /** Paths of files that a call changes. */
  readonly paths?: (args: unknown) => readonly string[];
  /** The command line that a call runs; null where there is none. */
  readonly command?: (args: unknown) => string | null;
  /** Milliseconds that a call was told to wait. */
  readonly waitMs?: (args: unknown) => number;
}
export type RuntimeTools = ReadonlyMap<string, RuntimeTool>;

export interface SessionSpec {
  /** `[A-Za-z0-9_-]+`, ours. */
  readonly sessionId: string;
  /** Absolute directory of this agent alone; holds the runtime's state. */
  readonly baseDirectory: string;
  readonly workingDirectory: string;
  /**
   * Absolute path of a file that the agent cannot reach, for the conversation as `provider` was sent it; null where the
   * conversation is not continued later.
   */
  readonly sentFile: string | null;
  /** Variables that the repository adds to the environment of the runtime and its shells. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute path of a directory that the agent may read and not write. */
  readonly skills?: string;
  /** Starts services beside the runtime and its shells. */
  readonly services?: ServiceHost;
  readonly model: string;
  /** The model can see pictures. */
  readonly sees: boolean;
  /** The temperature of each call to `provider`; undefined = the request's own. */
  readonly temperature: number | undefined;
  readonly provider: ModelProvider | undefined;
  /**
   * Models that stand in for `model` at `provider`, tried in this order where it answers 402, 429 or 5xx, or cannot be
   * reached. All speak the API of `provider`.
   */
  readonly otherModels: readonly ModelAt[];
  /** Of each call to `provider`; undefined = the request's own. */
  readonly effort: Effort | undefined;
  /** The key of the runtime's own account, where there is no provider. */
  readonly accountKey: string | undefined;
  readonly systemPrompt: string;
  readonly capabilities: readonly Capability[];
  readonly tools: readonly HostTool[];
  readonly gate: ToolGate;
  /**
   * Called before each call to `provider`: returns why the call may not be made, or null. `underWay` are the prompt
   * tokens of earlier calls without a `usage` yet. Each call made is followed by one `usage`.
   */
  readonly mayCallModel: (underWay: number) => string | null;
  /**
   * Called after each tool that ran, except a terminal one that succeeded, which no model call follows: returns a
   * remark that the model reads with the tool's answer, or null. The answer waits for it. Must not throw.
   */
  readonly remark: () => string | null | Promise<string | null>;
  readonly onEvent: (event: RuntimeEvent) => void;
}

/** What happens inside a session, in our terms. */
export type RuntimeEvent =
  | { readonly type: "turn_started"; readonly turnId: string }
  | { readonly type: "turn_ended"; readonly turnId: string }
  /** A piece of the message that follows, as the model writes it. */
  | { readonly type: "message_delta"; readonly text: string }
  | { readonly type: "message"; readonly text: string }
  | {
      readonly type: "tool_started";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: unknown;
    }
  | {
      readonly type: "tool_ended";
      readonly toolCallId: string;
      readonly ok: boolean;
      readonly denied: boolean;
      readonly output: string;
    }
  /** One model call. With a `provider` the host has counted it, otherwise the runtime reports it. */
  | {
      readonly type: "usage";
      /** The model that answered, by which the call is priced. */
      readonly model: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens: number;
      /** False where the call was cut off: the tokens are an estimate. */
      readonly answered: boolean;
    }
  /** From now on `to` answers in place of `from`: one of `otherModels`, or `model` again. Both name a model. */
  | { readonly type: "model_changed"; readonly from: string; readonly to: string; readonly reason: string }
  /** The host refused a call to the provider; reported once for each reason. */
  | { readonly type: "model_call_refused"; readonly reason: string }
  /** At the end of a session: the runtime reported other tokens than the host has counted. */
  | { readonly type: "usage_differs"; readonly counted: number; readonly reported: number }
  | { readonly type: "context"; readonly currentTokens: number; readonly tokenLimit: number }
  /** A sign that the model, a compaction, or a tool is at work; carries nothing else. */
  | { readonly type: "sign"; readonly of: "model" | "tool" };

/**
 * How an exchange ended. idle = the model has nothing more to say; aborted = the gate or the host ended it; deadline =
 * it reached its time limit and was aborted; runtime_died = the process is gone; model_error = the provider refused or
 * failed after the runtime's own retries.
 */
export type ExchangeEnd =
  | { readonly kind: "idle"; readonly lastMessage: string }
  | { readonly kind: "aborted" }
  | { readonly kind: "deadline" }
  | { readonly kind: "runtime_died"; readonly detail: string }
  | {
      readonly kind: "model_error";
      readonly reason:
        | "rate_limit"
        | "quota"
        | "authentication"
        | "unavailable"
        | "no_answer"
        | "invalid_request";
      /** Decided where the error was first caught. */
      readonly consequence: Consequence;
      readonly status: number | undefined;
      /** Milliseconds after which the provider may be called again; undefined when it does not say. */
      readonly retryAfterMs: number | undefined;
      readonly detail: string;
    };

/** One awake period of one conversation, with its runtime process. */
export interface AgentSession {
  /** True when an earlier conversation was found and continues. */
  readonly resumed: boolean;
  /** The version of the runtime's program; null where nobody knows it. */
  readonly version: string | null;
  /**
   * Sends one message, with its pictures where the model sees them, and waits until the runtime is idle; at most one
   * exchange at a time. At the deadline it continues for `leftMs()` more. Never rejects.
   */
  exchange(
    prompt: string,
    options: { deadlineMs: number; leftMs?: () => number; pictures?: readonly Picture[] },
  ): Promise<ExchangeEnd>;
  /** Ends the running exchange (its promise resolves with `aborted`); harmless when none runs. */
  interrupt(): Promise<void>;
  /** Probes the runtime; resolves within 15 s in any case. Never rejects. */
  probe(): Promise<{ readonly process: boolean; readonly answered: boolean }>;
  /**
   * Writes the conversation so far to disk. The runtime does so by itself later, and a kill before that loses it. False
   * when the process is gone. Resolves within 30 s. Never rejects.
   */
  save(): Promise<boolean>;
  /**
   * Keeps the conversation on disk, ends background shells and the process, which is killed after 10 s. Idempotent,
   * never rejects.
   */
  stop(): Promise<void>;
}

/** Where a conversation lies on this machine. */
export type ConversationPlace = Pick<SessionSpec, "sessionId" | "baseDirectory" | "sentFile">;

/** Conversations as bytes, by which they outlive the disk. */
export interface PortableConversations {
  isThere(place: ConversationPlace): Promise<boolean>;
  /**
   * Returns what a resume needs; null where there is no conversation, or it is too large. The session may be at work.
   * Each text passes `clean`. Never follows a link or waits for a pipe.
   */
  pack(place: ConversationPlace, clean: (text: string) => string): Promise<Uint8Array | null>;
  /** Puts the conversation back, in place of what is there. Throws `RuntimeError` session_damaged. */
  unpack(place: ConversationPlace, packed: Uint8Array): Promise<void>;
}

export interface AgentRuntime {
  readonly name: string;
  /** Every tool that the runtime itself has with some model, by name. */
  readonly tools: RuntimeTools;
  /** continuous = a conversation accepts follow-ups; one_shot = it runs once. See `guardMode`. */
  readonly modes: readonly ("continuous" | "one_shot")[];
  /** Starts a process and opens the conversation: resumed when it exists, created otherwise. Throws `RuntimeError`. */
  open(spec: SessionSpec): Promise<AgentSession>;
  /** Deletes a conversation from disk; a missing one is fine. */
  destroy(session: { sessionId: string; baseDirectory: string }): Promise<void>;
  /** Missing where conversations cannot leave the disk. */
  readonly portable?: PortableConversations;
  /** Ends processes that an earlier process of Flotilla left behind for these sessions; returns how many. */
  reap(sessions: readonly { sessionId: string; baseDirectory: string }[]): Promise<number>;
}
