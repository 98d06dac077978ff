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

/** Directory of the runtime's conversations, one directory each. */
export function stateDirectory({ baseDirectory }: Pick<Place, "baseDirectory">): string {
  return join(baseDirectory, "session-state");
}

interface Opened {
  readonly session: CopilotSession;
  readonly resumed: boolean;
}

/**
 * Resumes the conversation if it exists, otherwise creates it. Never creates one over unreadable files,
 * because two conversations under one id would mix. Throws `RuntimeError`: session_damaged, authentication,
 * open_failed (also when the process ends or does not answer).
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
      // Left by a session that ended before its first message: the runtime cannot resume it, or resumes it
      // empty.
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

/**
 * Deletes a conversation from disk; does nothing for a missing one. Throws `RuntimeError` invalid_session_id.
 */
export async function deleteConversation(place: Place, removeTree: RemoveTree): Promise<void> {
  const state = stateDirectory(place);
  const { sessionId } = checked(place);
  await inDirectory(state, [], (path) => removeTree(`${path}/${sessionId}`)).catch((error: unknown) => {
    // Where the agent replaced the directory by a link or a file, no conversation of ours is left.
    if (!isOneOf(error, ["ENOENT", "ENOTDIR", "ELOOP"])) throw error;
  });
}

/** Waits until the conversation's files are synced to disk, except new directory entries. */
export async function syncConversation(place: Place): Promise<void> {
  await withLog(place, (log) => log.datasync());
}

/** Events that the runtime writes before the first message. */
const BEFORE_ALL = /^\{"type":"(session|hook)\./;
/** The first message begins within this many bytes, which are read in blocks. */
const MOST_BYTES = 64 * 1024;
const BLOCK_BYTES = 4096;

/**
 * Returns whether anything was said in the conversation. An unreadable log is left to the runtime; throws
 * session_damaged for a link or a pipe, which could block the runtime.
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

/** Entries beyond this number are not checked. */
const MOST_ENTRIES = 10_000;

/**
 * Throws session_damaged where the conversation's directory contains a pipe, a socket or a device, or one of
 * the runtime's own files is a link: the runtime would wait for it, or read it without end.
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
      // What we may not open, the runtime may not either; a missing entry does no harm.
      if (!isOneOf(error, ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "ELOOP"])) throw error;
    });
}

/**
 * Returns whether one of the first lines is more than the runtime's preamble; a preamble that is too long
 * counts as well.
 */
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

/** The agent can change the log and its directories, so nothing here follows a link or waits for a pipe. */
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

/** Returns whether the process answers; if not, the failure says nothing about the conversation. */
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
 * Returns the runtime's answer; rejects once the process is gone or after `limitMs`. A dying process never
 * answers a pending request, but refuses a later ping.
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
