import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CopilotClient, CopilotSession, SessionConfig } from "@github/copilot-sdk";
import { messageOf, RuntimeError } from "../core/errors.ts";
import { sessionDirectories } from "./agent-environment.ts";
import { type Watch, whileItLives } from "./while-it-lives.ts";

interface Place {
  readonly sessionId: string;
  readonly baseDirectory: string;
}

interface Opened {
  readonly session: CopilotSession;
  readonly resumed: boolean;
}

/**
 * Resumes the conversation when there is one, creates it otherwise. To create one over an existing id would mix two
 * conversations, so what is on disk but cannot be read is never created anew.
 * Throws `RuntimeError`: session_damaged, authentication, open_failed (where the process ends or does not answer, too).
 */
export async function openConversation(
  client: CopilotClient,
  place: Place,
  config: Omit<SessionConfig, "sessionId">,
  watch: Watch,
): Promise<Opened> {
  try {
    return await whileItLives(client, watch, resumeOrCreate(client, place, config));
  } catch (error) {
    throw error instanceof RuntimeError ? error : openingFailed(error, place, false);
  }
}

async function resumeOrCreate(
  client: CopilotClient,
  place: Place,
  config: Omit<SessionConfig, "sessionId">,
): Promise<Opened> {
  const { sessionId } = place;
  const begun = await isBegun(place);
  try {
    if (!begun) {
      // Left by a session that ended before its first message: the runtime cannot resume it, or as one that knows nothing.
      await deleteConversation(place);
      return { session: await client.createSession({ ...config, sessionId }), resumed: false };
    }
    if ((await client.getSessionMetadata(sessionId)) !== undefined)
      return { session: await client.resumeSession(sessionId, config), resumed: true };
  } catch (error) {
    throw openingFailed(error, place, begun && (await isAlive(client)));
  }
  throw damaged(place, "its log is there, but the runtime does not know it");
}

/** Deletes a conversation from disk; a missing one is fine. Throws `RuntimeError` invalid_session_id. */
export async function deleteConversation(place: Place): Promise<void> {
  await rm(directoryOf(place), { recursive: true, force: true });
}

/** Waits until what the runtime has written of the conversation is on the disk. The entry of a new file in its directory is not waited for. */
export async function syncConversation(place: Place): Promise<void> {
  const log = await open(logOf(place), "r");
  try {
    await log.datasync();
  } finally {
    await log.close();
  }
}

/** What the runtime writes before the first message. */
const BEFORE_ALL = /^\{"type":"(session|hook)\./;

/** Whether anything was said in it. What cannot be read counts, for the runtime to judge. */
async function isBegun(place: Place): Promise<boolean> {
  const log = await open(logOf(place), "r").catch(() => undefined);
  if (log === undefined) return false;
  try {
    for await (const line of log.readLines()) if (!BEFORE_ALL.test(line)) return true;
    return false;
  } finally {
    await log.close();
  }
}

function logOf(place: Place): string {
  return join(directoryOf(place), "events.jsonl");
}

function directoryOf({ sessionId, baseDirectory }: Place): string {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(sessionId))
    throw new RuntimeError("invalid_session_id", `${JSON.stringify(sessionId)} is no session id`, {
      consequence: "stop",
      advice: "Session ids hold letters, digits, _ and - only, 200 at most.",
    });
  return join(sessionDirectories(baseDirectory).state, sessionId);
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
      "It is tried again. If it goes on, check that the model provider or GitHub can be reached from this host.",
    cause: error,
  });
}

function damaged(place: Place, detail: string, cause?: unknown): RuntimeError {
  return new RuntimeError("session_damaged", `conversation ${place.sessionId} cannot be resumed: ${detail}`, {
    consequence: "stop",
    advice: `Start a new session with a hand-off; ${directoryOf(place)} is kept for a look.`,
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
