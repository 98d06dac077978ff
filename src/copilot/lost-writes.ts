import type { CopilotClient } from "@github/copilot-sdk";

/** What the SDK writes its requests with, as far as it is known here. */
interface MessageWriter {
  suppressWriteErrors: boolean;
}

/**
 * Keeps a request that cannot be written from ending our process. A runtime that dies is noticed a moment later; a
 * request of that moment is rejected by the JSON-RPC library twice, once where nobody can handle it (vscode-jsonrpc
 * before 9.0.3, which the SDK cannot load). Errors of writing are suppressed from the beginning, as the SDK does by
 * itself from the process's exit on: the broken pipe closes the connection, and that rejects what was asked. What is asked
 * between that exit and the close is never answered, so whoever asks has a limit or a ping beside it.
 */
export function forgiveLostWrites(client: CopilotClient): void {
  let writer: MessageWriter | null = null;
  Object.defineProperty(client, "messageWriter", {
    get: () => writer,
    set(next: MessageWriter | null) {
      if (next !== null) next.suppressWriteErrors = true;
      writer = next;
    },
  });
}
