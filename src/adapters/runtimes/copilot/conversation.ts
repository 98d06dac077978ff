import { type FileHandle, opendir } from "node:fs/promises";
import { join } from "node:path";
import type { CopilotClient, CopilotSession, SessionConfig } from "@github/copilot-sdk";
import { messageOf, RuntimeError } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import { inDirectory, openRegularFile } from "../process/agent-files.ts";
import type { RemoveTree } from "../runtime-entry.ts";

interface Place {
  readonly sessionId: string;
  readonly baseDirectory: string;
}

/** Where the runtime keeps the conversations, one directory for each. */
export function stateDirectory({ baseDirectory }: Pick<Place, "baseDirectory">): string {
  return join(baseDirectory, "session-state");
}

interface Opened {
  readonly session: CopilotSession;
  readonly resumed: boolean;
}

/**
 * Resumes the conversation when there is one, creates it otherwise. To create one over an existing id would mix two
 * conversations, so what is on disk but cannot be read is never created again.
 * Throws `RuntimeError`: session_damaged, authentication, open_failed (where the process ends or does not answer, too).
 */
export async function openConversation(
  client: CopilotClient,
  place: Place,
  config: Omit<SessionConfig, "sessionId">,
  { watch, removeTree }: { readonly watch: Watch; readonly removeTree: RemoveTree },
): Promise<Opened> {
  try {
    return await whileItLives(client, watch, resumeOrCreate(client, place, { config, removeTree }));
  } catch (error) {
    throw error instanceof RuntimeError ? error : openingFailed(error, place, false);
  }
}

async function resumeOrCreate(
  client: CopilotClient,
  place: Place,
  { config, removeTree }: { config: Omit<SessionConfig, "sessionId">; removeTree: RemoveTree },
): Promise<Opened> {
  const { sessionId } = place;
  const begun = await isBegun(place);
  try {
    if (!begun) {
      // Left by a session that ended before its first message: the runtime cannot resume it, or as one that knows nothing.
      await deleteConversation(place, removeTree);
      return { session: await client.createSession({ ...config, sessionId }), resumed: false };
    }
    await refuseSpecialFiles(place);
    if ((await client.getSessionMetadata(sessionId)) !== undefined)
      return { session: await client.resumeSession(sessionId, config), resumed: true };
  } catch (error) {
    if (error instanceof RuntimeError) throw error;
    throw openingFailed(error, place, begun && (await isAlive(client)));
  }
  throw damaged(place, "its log is there, but the runtime does not know it");
}

/** Deletes a conversation from disk; a missing one is fine. Throws `RuntimeError` invalid_session_id. */
export async function deleteConversation(place: Place, removeTree: RemoveTree): Promise<void> {
  const state = stateDirectory(place);
  const { sessionId } = checked(place);
  await inDirectory(state, [], (path) => removeTree(`${path}/${sessionId}`)).catch((error: unknown) => {
    // Where the agent has put a link or a file in the place of the directory, no conversation of ours is left.
    if (!isOneOf(error, ["ENOENT", "ENOTDIR", "ELOOP"])) throw error;
  });
}

/** Waits until what the runtime has written of the conversation is on the disk. The entry of a new file in its directory is not waited for. */
export async function syncConversation(place: Place): Promise<void> {
  await withLog(place, (log) => log.datasync());
}

/** What the runtime writes before the first message. */
const BEFORE_ALL = /^\{"type":"(session|hook)\./;
/** The first message stands within so many bytes, in blocks of so many. */
const MOST_BYTES = 64 * 1024;
const BLOCK_BYTES = 4096;

/**
 * Whether anything was said in it. A log that we may not read is the runtime's to judge; what is no log, a link or a pipe,
 * could hold the runtime up, and throws session_damaged.
 */
async function isBegun(place: Place): Promise<boolean> {
  try {
    return await withLog(place, saysSomething);
  } catch (error) {
    if (error instanceof RuntimeError) throw error;
    if (isOneOf(error, ["ENOENT"])) return false;
    if (isOneOf(error, ["EACCES", "EPERM"])) return true;
    throw damaged(place, `its log is no file that can be read: ${messageOf(error)}`, error);
  }
}

/** More entries than this are not looked at. */
const MOST_ENTRIES = 10_000;

/**
 * Throws session_damaged where the conversation's directory, or a directory in it, holds a pipe, a socket or a device, or
 * where one of the runtime's own files is a link: the runtime would wait for it, or read it without end.
 */
async function refuseSpecialFiles(place: Place): Promise<void> {
  const { sessionId } = checked(place);
  const state = stateDirectory(place);
  const directories: string[][] = [[]];
  for (const below of directories)
    await inDirectory(state, [sessionId, ...below], async (path) => {
      let seen = 0;
      for await (const entry of await opendir(path)) {
        if (entry.isDirectory() && below.length === 0) directories.push([entry.name]);
        const mayStand =
          entry.isFile() || entry.isDirectory() || (entry.isSymbolicLink() && below.length > 0);
        if (!mayStand)
          throw damaged(place, `${JSON.stringify(entry.name)} in it is no file that can be read`);
        seen += 1;
        if (seen === MOST_ENTRIES) return;
      }
    }).catch((error: unknown) => {
      // What we may not open, the runtime may not either; what is gone is nothing.
      if (!isOneOf(error, ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"])) throw error;
    });
}

/** Whether one of the first lines comes after what is written before all; so does a beginning that is too long. */
async function saysSomething(log: FileHandle): Promise<boolean> {
  const read = Buffer.alloc(MOST_BYTES);
  for (let length = 0; length < MOST_BYTES; ) {
    const { bytesRead } = await log.read(read, length, BLOCK_BYTES, length);
    length += bytesRead;
    const lines = read.toString("latin1", 0, length).split("\n");
    const last = lines.pop() ?? "";
    if (lines.some((line) => !BEFORE_ALL.test(line))) return true;
    if (bytesRead === 0) return last !== "" && !BEFORE_ALL.test(last);
  }
  return true;
}

/** The log's directories and the log itself are the agent's to change: nothing here follows a link or waits for a pipe. */
async function withLog<T>(place: Place, work: (log: FileHandle) => Promise<T>): Promise<T> {
  const { sessionId } = checked(place);
  const state = stateDirectory(place);
  return inDirectory(state, [sessionId], async (path) => {
    const log = await openRegularFile(`${path}/events.jsonl`);
    try {
      return await work(log);
    } finally {
      await log.close();
    }
  });
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function checked(place: Place): Place {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(place.sessionId))
    throw new RuntimeError("invalid_session_id", `${JSON.stringify(place.sessionId)} is no session id`, {
      consequence: "stop",
      advice: "Session ids hold letters, digits, _ and - only, 200 at most.",
    });
  return place;
}

function openingFailed(error: unknown, place: Place, conversationIsAtFault: boolean): RuntimeError {
  const detail = messageOf(error);
  const unreachable = /network|error sending request|timed out/i.test(detail);
  if (!unreachable && /\b401\b|unauthori[sz]ed|authenticat|bad credentials/i.test(detail))
    return new RuntimeError("authentication", `the model refused our credential: ${detail}`, {
      consequence: "tell",
      advice: "Check the GitHub token or the provider's key in the configuration.",
      cause: error,
    });
  if (conversationIsAtFault && !unreachable) return damaged(place, detail, error);
  return new RuntimeError("open_failed", `session ${place.sessionId} could not be opened: ${detail}`, {
    consequence: "retry",
    advice:
      "It is tried again. If it continues, check that the model provider or GitHub can be reached from this host.",
    cause: error,
  });
}

function damaged(place: Place, detail: string, cause?: unknown): RuntimeError {
  return new RuntimeError("session_damaged", `conversation ${place.sessionId} cannot be resumed: ${detail}`, {
    consequence: "stop",
    advice: `Start a new session with a hand-off; session-state/${place.sessionId} in ${place.baseDirectory} is kept for a look.`,
    cause,
  });
}

/** Whether the process answers: otherwise the failure says nothing about the conversation. */
async function isAlive(client: CopilotClient): Promise<boolean> {
  return client.ping().then(
    () => true,
    () => false,
  );
}

interface Watch {
  readonly clock: Clock;
  readonly pingEveryMs: number;
  readonly limitMs: number;
}

/**
 * What was asked of a runtime process, or an error once the process is gone or `limitMs` are over: what is under way
 * when a process dies is never answered, while a ping after it is refused.
 */
async function whileItLives<T>(
  client: Pick<CopilotClient, "ping">,
  { clock, pingEveryMs, limitMs }: Watch,
  work: Promise<T>,
): Promise<T> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  let cancelBeat = clock.after(pingEveryMs, beat);
  function beat(): void {
    client.ping().catch((error: unknown) => reject(new Error(`its process is gone: ${messageOf(error)}`)));
    cancelBeat = clock.after(pingEveryMs, beat);
  }
  try {
    return await withTimeout(clock, limitMs, Promise.race([work, lost]), () => {
      throw new Error(`it did not answer within ${limitMs / 1000} s`);
    });
  } finally {
    cancelBeat();
  }
}
