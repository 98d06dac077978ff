import type { Duplex } from "node:stream";

/**
 * Answers on a socket that Node's HTTP server has handed over, and closes it. Nothing else listens to the socket's
 * errors any more, and nothing else would close it while the peer keeps its side open.
 */
export function refuseSocket(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}
