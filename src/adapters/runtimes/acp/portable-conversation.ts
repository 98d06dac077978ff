import { open } from "node:fs/promises";
import { messageOf, RuntimeError } from "../../../domain/kernel/errors.ts";
import { cleanValue } from "../../../domain/messages/printable.ts";
import type { ConversationPlace, PortableConversations } from "../../../domain/ports/agent-runtime.ts";
import { makeOwnDirectory, openRegularFile } from "../process/agent-files.ts";
import { MOST_BYTES, type PackedFile, packFiles, unpackFiles } from "../process/packed-files.ts";
import type { RemoveTree } from "../runtime-entry.ts";
import { agentId, begunConversation, deleteConversation, keepAgentId } from "./conversation.ts";
import {
  conversationFiles,
  eachFile,
  isOfConversation,
  patternsOf,
  writeBelow,
} from "./conversation-files.ts";
import type { Preset } from "./preset.ts";

/** The agent's own id of the conversation. */
const ID = "id";
/** What the host remarked, which lies outside of the agent's reach. */
const SENT = "sent";
const FILE = "file/";

/** The agent can change its conversation's files, so nothing here follows a link or waits for a pipe. */
export function portableConversations(
  preset: Pick<Preset, "conversation">,
  removeTree: RemoveTree,
): PortableConversations {
  const { files } = preset.conversation;
  return {
    isThere: async (place) => (await begunConversation(place, preset)) !== null,
    async pack(place, clean) {
      const id = await begunConversation(place, preset);
      if (id === null) return null;
      const found = await conversationFiles(place.baseDirectory, patternsOf(files, id));
      const packed: PackedFile[] = [{ name: ID, bytes: Buffer.from(id) }];
      let left = MOST_BYTES;
      await eachFile(place.baseDirectory, found, async (file, path) => {
        const { size } = await file.stat();
        left -= size;
        if (left < 0) return;
        const bytes = Buffer.alloc(size);
        const { bytesRead } = await file.read(bytes, 0, size, 0);
        packed.push({ name: `${FILE}${path}`, bytes: cleaned(bytes.subarray(0, bytesRead), clean) });
      });
      const sent = await readSent(place.sentFile, left);
      if (sent !== null) packed.push({ name: SENT, bytes: cleaned(sent, clean) });
      return left < 0 ? null : packFiles(packed);
    },
    async unpack(place, packed) {
      try {
        await writeAll(place, await unpackFiles(packed));
      } catch (error) {
        throw new RuntimeError(
          "session_damaged",
          `the kept conversation cannot be used: ${messageOf(error)}`,
          {
            consequence: "stop",
            cause: error,
          },
        );
      }
    },
  };

  async function writeAll(place: ConversationPlace, all: readonly PackedFile[]): Promise<void> {
    const bytesOf = (name: string) => all.find((one) => one.name === name)?.bytes;
    const id = agentId.parse(Buffer.from(bytesOf(ID) ?? "").toString());
    const patterns = patternsOf(files, id);
    await makeOwnDirectory(place.baseDirectory);
    await deleteConversation(place, removeTree);
    for (const { name, bytes } of all) {
      const path = name.startsWith(FILE) ? name.slice(FILE.length) : "";
      if (isOfConversation(path, patterns)) await writeBelow(place.baseDirectory, path, bytes, removeTree);
    }
    const sent = bytesOf(SENT);
    if (place.sentFile !== null && sent !== undefined) {
      await removeTree(place.sentFile);
      const file = await open(place.sentFile, "wx", 0o600);
      await file.writeFile(sent);
      await file.datasync();
      await file.close();
    }
    // The id is last: a conversation counts as there once its id is.
    await keepAgentId(place, id, removeTree);
  }
}

/** Returns the content; null where there is none, or it has more than `most` bytes. */
async function readSent(path: string | null, most: number): Promise<Buffer | null> {
  if (path === null) return null;
  const file = await openRegularFile(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    return size > most ? null : await file.readFile();
  } finally {
    await file.close();
  }
}

/** Cleans each text in lines of JSON, so that they stay JSON; a last line that is not whole yet is left out. */
function cleaned(bytes: Buffer, clean: (text: string) => string): Buffer {
  const lines = bytes.toString().split("\n");
  const last = lines.pop() ?? "";
  const whole = isJson(last) ? [...lines, last] : lines;
  return Buffer.from(whole.map((line) => `${cleanLine(line, clean)}\n`).join(""));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function cleanLine(line: string, clean: (text: string) => string): string {
  if (clean(line) === line) return line;
  return JSON.stringify(cleanValue<unknown>(JSON.parse(line), clean));
}
