import type { Duplex } from "node:stream";

/**
 * Answers on a socket that Node's HTTP server has handed over, and closes it: nothing else listens to its errors any more,
 * and nothing else would close it while its peer keeps its side open.
 */
export function refuseSocket(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy());
}
