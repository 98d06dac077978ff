import type { ModelFailure } from "./model-failure.ts";

/** A call of a tool by the newest answer of the main line, with our name of the tool. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** How a call ended, by the word of who ran or denied it. */
export interface CallEnd {
  readonly ok: boolean;
  readonly denied: boolean;
  /** What the model reads; of a denial its reason, which is added to the tool's result where the agent leaves it out. */
  readonly output: string;
}

/**
 * The way of one session's model calls to the provider. What it reads there is what happened: it tells `onEvent` of turns,
 * messages, calls of tools, their results and usage. One conversation of the agent is the main line; other requests (a
 * title, a summary) are only counted.
 */
export interface SessionGateway {
  /** Answers an HTTP request of the agent; its path is the one below the address that the agent was given. Never rejects. */
  handle(request: Request): Promise<Response>;
  /** Called before a message goes to the agent: the last exchange's refusal and end are over. */
  begin(message: string): void;
  /**
   * Called when the exchange is to end: from now until `begin` nothing goes out, and the main line is answered by a turn
   * that says nothing. Also valid during the `turn_started` of a request, which then does not go out. Returns true where
   * that answers the agent's question at once, so that it ends its turn by itself.
   */
  endTurn(): boolean;
  /** The refusal that ended the main line; null where its last request was answered. */
  failure(): ModelFailure | null;
  /** Called once in each exchange, when the agent's own retries can no longer help. */
  onRefused(listener: () => void): void;
  /** The calls of the newest answer, each told by `tool_started`, that have not ended. */
  calls(): readonly ToldCall[];
  /** The calls, by the ids that the agent gives them, whose results the model has been sent last. */
  answered(): readonly string[];
  /** Tells how a call ended before the agent's next request does; the first word counts. */
  told(callId: string, end: CallEnd): void;
  /** The newest text that the model wrote in the main line since `begin`. */
  lastMessage(): string;
  /** Resolves when all remarks are on disk. Never rejects. */
  written(): Promise<void>;
  /** Gives up and counts the calls under way. */
  close(): Promise<void>;
}
