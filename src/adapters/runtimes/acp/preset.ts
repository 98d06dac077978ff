import type { Capability, RuntimeTools } from "../../../domain/ports/agent-runtime.ts";
import type { Api } from "../gateway/dialects/dialect.ts";

/** Where one session's agent runs, and what it finds there. Paths are absolute, and the same inside the sandbox. */
export interface AgentPlace {
  /** The session's own directory, which the agent can write. */
  readonly base: string;
  /** A directory below `base` for the agent's settings and conversations. */
  readonly state: string;
  readonly worktree: string;
  /** The directory that holds `node_modules` with the preset's package; empty for a command of the operator. */
  readonly packages: string;
  /** `http://127.0.0.1:PORT/model`: stands for the provider's base URL. */
  readonly gateway: string;
  /** `http://127.0.0.1:PORT/mcp`, the address of our MCP server. */
  readonly mcp: string;
  /** `http://127.0.0.1:PORT/gate`, for a hook that asks before a tool runs. */
  readonly gate: string;
  /** The command line of such a hook: it reads the call from its standard input, and exits with 2 and the reason where it is denied. */
  readonly hook: readonly string[];
  /** Stands for the provider's key; only this session's own addresses take it. */
  readonly key: string;
  readonly model: string;
  /** Whether the model takes pictures. */
  readonly sees: boolean;
  readonly maxPromptTokens: number | undefined;
  readonly systemPrompt: string;
  readonly capabilities: readonly Capability[];
  /** Names of our tools, as the MCP server `MCP_NAME` offers them. */
  readonly tools: readonly string[];
}

/** The name under which agents know our MCP server. */
export const MCP_NAME = "flotilla";

/**
 * What Flotilla must know of one agent that speaks ACP. Files are given by their paths below `AgentPlace.base`, with
 * their text. They are written anew before each start, because an agent can change them.
 */
export interface Preset {
  readonly name: string;
  /** The name that people read. */
  readonly title: string;
  /** The npm package with the tried version, and what it takes on disk; null for a command of the operator. */
  readonly package: { readonly name: string; readonly version: string; readonly megabytes: number } | null;
  /** The program, absolute, and its arguments. */
  command(place: AgentPlace): { readonly file: string; readonly args: readonly string[] };
  /** Paths besides `AgentPlace.packages` that the program must be able to read. */
  readonly readable?: readonly string[];
  readonly api: Api;
  /** The agent's own variables. No value is a secret. */
  env(place: AgentPlace): Readonly<Record<string, string>>;
  files(place: AgentPlace): Readonly<Record<string, string>>;
  /** Files below /etc that the agent can read and not change, by their paths there. They need a sandbox. */
  etc?(place: AgentPlace): Readonly<Record<string, string>>;
  /** The agent's own tools. */
  readonly tools: RuntimeTools;
  /** Returns our name of a tool, or the agent's own, for the name that its model calls. */
  toolName(raw: string): string;
  /** How the agent asks before its own tools: by ACP, by a hook that asks `AgentPlace.gate`, or never. */
  readonly gate: "permission" | "hook" | "none";
  /** Where the system prompt goes: into the field `systemPrompt` of the session, or into one of `files`. */
  readonly instructions: "systemPrompt" | "file";
  /** The mode of the session that must be set. */
  readonly mode?: string;
  /** The method of `authenticate`, where the agent asks for that. */
  readonly auth?: string;
  /** `_meta` of each new or resumed session. */
  meta?(place: AgentPlace): Readonly<Record<string, unknown>>;
  /** The request by which a conversation continues. */
  readonly resume: "resume" | "load";
  /**
   * How long, in milliseconds, the agent waits for the answer of one of our tools. A tool that takes longer is answered
   * before, and the model calls it again.
   */
  readonly callMs: number;
  /** True where the agent ends by itself when its standard input ends; another one is killed once its conversation is saved. */
  readonly endsWithInput: boolean;
  /**
   * True where it takes back all that a turn has brought, and the message too, when the turn is cancelled or refused. A
   * turn of it is ended by an answer of ours to its model's question.
   */
  readonly takesBack?: true;
  /** True where a conversation that continues has lost its pictures. */
  readonly losesPictures?: true;
  readonly conversation: {
    /**
     * The files of a conversation below `AgentPlace.base`. In each segment `*` stands for anything, and `{id}` for the
     * agent's own id of the conversation.
     */
    readonly files: readonly string[];
    /**
     * Returns the text by which the result of a call stands in the files. Where it is given, the files hold messages word for
     * word, too. Left out where nobody knows: then any change of theirs counts as written.
     */
    readonly resultOf?: (callId: string) => string;
    /** True where they are lines of JSON, so that they can leave the disk with their texts cleaned. */
    readonly portable: boolean;
    /**
     * Returns the name that a file is given before the conversation continues, where the agent would write over one of
     * its old name.
     */
    readonly restsAs?: (name: string) => string;
  };
  /** What the agent cannot do under Flotilla, in words for people; at most three. */
  readonly cannot: readonly string[];
}
