import { constants } from "node:fs";
import { mkdir, open, opendir, rename } from "node:fs/promises";
import { messageOf, RuntimeError } from "../../../domain/kernel/errors.ts";
import { cleanValue } from "../../../domain/messages/printable.ts";
import type { ConversationPlace, PortableConversations } from "../../../domain/ports/agent-runtime.ts";
import { inDirectory, makeOwnDirectory, openRegularFile } from "../process/agent-files.ts";
import { MOST_BYTES, type PackedFile, packFiles, unpackFiles } from "../process/packed-files.ts";
import type { RemoveTree } from "../runtime-entry.ts";
import { deleteConversation, stateDirectory } from "./conversation.ts";

const LOG = "events.jsonl";
/** What a resume reads besides the log. Everything else in the directory is the agent's, or can be made again. */
const BESIDE = ["workspace.yaml"];
const SUMMARIES = "checkpoints";
const SUMMARY = /^[\w-]{1,100}\.md$/;
const MOST_SUMMARIES = 100;
/** The conversation as the provider was sent it, which lies outside of the directory. */
const SENT = "sent";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** The agent can change the conversation's directory, so nothing here follows a link or waits for a pipe. */
export function portableConversations(removeTree: RemoveTree): PortableConversations {
  return {
    async isThere(place) {
      return below(place, [], async (path) => {
        await (await openRegularFile(`${path}/${LOG}`)).close();
        return true;
      }).catch(() => false);
    },
    async pack(place, clean) {
      const files = await readAll(place);
      const log = files.get(LOG);
      if (log === undefined || sizeOf(files) > MOST_BYTES) return null;
      const packed = [...files].map(([name, bytes]) => ({ name, bytes: cleaned(name, bytes, clean) }));
      return packFiles(packed);
    },
    async unpack(place, packed) {
      try {
        await writeAll(place, await unpackFiles(packed), removeTree);
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
}

async function readAll(place: ConversationPlace): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const read = async (name: string, path: string) => {
    const bytes = await readFile(path, MOST_BYTES - sizeOf(files)).catch(() => null);
    if (bytes !== null) files.set(name, bytes);
  };
  const inside = (names: readonly string[], work: (path: string) => Promise<void>) =>
    below(place, names, work).catch(() => undefined);
  await inside([], async (path) => {
    for (const name of [LOG, ...BESIDE]) await read(name, `${path}/${name}`);
  });
  await inside([SUMMARIES], async (path) => {
    let seen = 0;
    for await (const { name } of await opendir(path)) {
      seen += 1;
      if (seen > MOST_SUMMARIES) return;
      if (SUMMARY.test(name)) await read(`${SUMMARIES}/${name}`, `${path}/${name}`);
    }
  });
  if (place.sentFile !== null) await read(SENT, place.sentFile);
  return files;
}

/** Returns the content; null where it is larger, or no regular file. */
async function readFile(path: string, most: number): Promise<Buffer | null> {
  const file = await openRegularFile(path);
  try {
    const { size } = await file.stat();
    if (size > most) return null;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const sizeOf = (files: ReadonlyMap<string, Buffer>) =>
  [...files.values()].reduce((sum, { length }) => sum + length, 0);

/** Cleans the texts. Of files with a line for each entry, a last line that is not whole yet is left out. */
function cleaned(name: string, bytes: Buffer, clean: (text: string) => string): Buffer {
  const text = bytes.toString();
  if (name !== LOG && name !== SENT) return Buffer.from(clean(text));
  const lines = text.split("\n").slice(0, -1);
  return Buffer.from(lines.map((line) => `${cleanLine(line, clean)}\n`).join(""));
}

/** Cleans each text within a line of JSON, so that it stays JSON. */
function cleanLine(line: string, clean: (text: string) => string): string {
  if (clean(line) === line) return line;
  return JSON.stringify(cleanValue<unknown>(JSON.parse(line), clean));
}

async function writeAll(
  place: ConversationPlace,
  files: readonly PackedFile[],
  removeTree: RemoveTree,
): Promise<void> {
  const named = new Map(files.map(({ name, bytes }) => [name, bytes]));
  const log = named.get(LOG);
  if (log === undefined) throw new Error("it has no log");
  await makeOwnDirectory(place.baseDirectory);
  await inDirectory(place.baseDirectory, [], (path) => makeOwnDirectory(`${path}/session-state`));
  await deleteConversation(place, removeTree);
  await inDirectory(stateDirectory(place), [], (path) =>
    mkdir(`${path}/${place.sessionId}`, { mode: 0o700 }),
  );
  const summaries = files.filter(({ name }) => name.startsWith(`${SUMMARIES}/`));
  await below(place, [], async (path) => {
    for (const name of BESIDE) if (named.has(name)) await write(`${path}/${name}`, named.get(name));
    if (summaries.length > 0) await mkdir(`${path}/${SUMMARIES}`, { mode: 0o700 });
    for (const { name, bytes } of summaries)
      if (SUMMARY.test(name.slice(SUMMARIES.length + 1))) await write(`${path}/${name}`, bytes);
  });
  const sent = named.get(SENT);
  if (place.sentFile !== null && sent !== undefined) {
    await removeTree(place.sentFile);
    await write(place.sentFile, sent);
  }
  // The log is last: a conversation counts as there once its log is.
  await below(place, [], async (path) => {
    await write(`${path}/${LOG}.new`, log);
    await rename(`${path}/${LOG}.new`, `${path}/${LOG}`);
  });
}

async function write(path: string, bytes: Uint8Array | undefined): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(bytes ?? "");
    await file.datasync();
  } finally {
    await file.close();
  }
}

function below<T>(
  place: ConversationPlace,
  names: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T> {
  return inDirectory(stateDirectory(place), [place.sessionId, ...names], work);
}
