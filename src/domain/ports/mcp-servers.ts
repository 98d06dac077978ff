/** A tool as its server describes it; nothing of it is checked. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** What a server answered; nothing of it is checked. */
export interface McpAnswer {
  /** False when the server reports that the call failed. */
  readonly ok: boolean;
  /** Each part's text, or what it is instead of a text. */
  readonly parts: readonly ({ readonly text: string } | { readonly other: "image" | "audio" | "resource" })[];
}

/** A connection with one MCP server, for one agent's awake period. */
export interface McpConnection {
  /** As the server listed them at the beginning. */
  readonly tools: readonly ListedTool[];
  /**
   * Calls a tool. Throws `OutsideError`, whose message says of the server what happened and is safe to show; `uncertain`
   * where the call may have been carried out. The connection is closed then, unless the signal ended the call.
   */
  call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<McpAnswer>;
  /** Ends the server's process with everything that it started. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** The MCP servers of the configuration, by name. */
export interface McpServers {
  /**
   * Starts a server, or reaches it, and lists its tools. `mark` is carried by its processes; see `Runner.killMarked`.
   * Throws `OutsideError` as `call` does.
   */
  open(server: string, mark: string): Promise<McpConnection>;
}

/** The secrets of one server, out of our environment. */
export interface McpSecrets {
  /** Its environment variables with their values. */
  readonly env: Readonly<Record<string, string>>;
  readonly header: { readonly name: string; readonly value: string } | undefined;
}
