import type { Socket } from "node:net";

/** Node reads 64 KiB at once, which hold more than two thousand requests. */
const PART_BYTES = 4096;

/**
 * Hands what arrives on a connection of an HTTP server to Node's parser in small parts. Without this Node parses all requests
 * of one read, even on a connection that the first of them closed.
 */
export function parseInSmallParts(socket: Socket): void {
  const [parse] = socket.listeners("data");
  if (parse === undefined) return;
  // Adding our listener makes Node's server take its bytes from the stream and not from the handle.
  socket.removeAllListeners("data");
  socket.on("data", (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      // After CONNECT or the last answer Node has let go of its parser.
      if (socket.writableEnded || socket.destroyed) return;
      // Too many answers wait in memory: Node refuses bytes until they have left, and then resumes.
      if (socket.isPaused()) {
        socket.unshift(bytes.subarray(at));
        return;
      }
      parse.call(socket, bytes.subarray(at, at + PART_BYTES));
    }
  });
}
