import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** What a Unix socket answers to a text until it closes the connection; nothing when it refuses it. */
export async function sendTo(path: string, asked: string): Promise<string> {
  const socket = connect({ path });
  socket.end(asked);
  return text(socket).catch(() => "");
}
