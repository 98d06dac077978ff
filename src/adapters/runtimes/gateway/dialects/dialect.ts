import type { Effort, ModelAt } from "../../../../domain/ports/agent-runtime.ts";

/** The APIs of providers by which an agent can ask a model. */
export type Api = "completions" | "responses" | "anthropic" | "gemini";

/** How requests and answers of one API are read and written. Nothing here waits or sends. */
export interface Dialect {
  readonly api: Api;
  /** Reads the path of a request, with its query, below the address that the agent was given; null = no model call. */
  call(path: string): CallPath | null;
  /** Returns the address of the call at the model's provider. */
  url(at: ModelAt, path: CallPath): string;
  /** Reads a request. What has another shape than the API's is left out. */
  read(body: object): AskedTurn;
  /** Returns the request with the session's own model, effort and temperature, each in its place. */
  own(body: object, words: OwnWords): object;
  /** Returns the request without what the provider would do with its own network, and asking for a report of usage. */
  plain(body: object): object;
  /** Begins to read an answer. */
  answer(): AnswerParts;
  /** Returns an answer of `text` alone that ends the turn and costs no tokens. */
  ending(text: string, of: { readonly model: string; readonly streams: boolean }): WrittenAnswer;
  /** Returns the body of an error as the provider writes it. */
  error(fault: Fault & { readonly status: number }): object;
}

export interface CallPath {
  /** Undefined where the body says whether the answer streams. */
  readonly streams: boolean | undefined;
  /** What follows the path, with its question mark; empty where nothing does. */
  readonly query: string;
}

/** What each request of a session gets, whatever the agent wrote; undefined = the request's own. */
export interface OwnWords {
  readonly model: string;
  readonly effort: Effort | undefined;
  readonly temperature: number | undefined;
}

/** A request, as the model reads it. */
export interface AskedTurn {
  readonly streams: boolean;
  /** Names of the tools, as the model writes them; a name within a namespace follows it and a slash. */
  readonly offered: readonly string[];
  readonly messages: readonly unknown[];
  /** The results of tools, oldest first. */
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  /** The id of its call; null where the API may leave it out and the agent did. */
  readonly id: string | null;
  /** The name of its tool, where the API repeats it. */
  readonly name: string | null;
  readonly text: string;
  /** True where the API tells failures apart and this is one. */
  readonly failed: boolean;
  /** Adds to what the model reads: changes the request that was read. */
  append(text: string): void;
}

/** A call of a tool, as the model wrote it. */
export interface WrittenCall {
  /** Null where the provider gave none. */
  readonly id: string | null;
  readonly name: string;
  /** Parsed; text that is no JSON stays text. */
  readonly args: unknown;
}

export type AnswerPart =
  | { readonly type: "text"; readonly text: string }
  /** The model works, and says nothing that people read. */
  | { readonly type: "sign" }
  /** From here on an agent can act on the answer: run a call, or end its turn. */
  | { readonly type: "act" };

/** An answer while it arrives. */
export interface AnswerParts {
  /** Takes the next event of a stream, or the whole answer, and returns what it adds. */
  see(value: unknown): readonly AnswerPart[];
  /** The text so far. */
  text(): string;
  /** The calls so far, in the model's order; an unfinished one is left out. */
  calls(): readonly WrittenCall[];
  /** An error that the provider reported in the middle of its answer. */
  fault(): Fault | null;
}

/** `code` for programs, `message` for people. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

interface WrittenAnswer {
  readonly contentType: string;
  readonly body: string;
}
