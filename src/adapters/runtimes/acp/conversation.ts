import { join } from "node:path";
import { z } from "zod";
import { inDirectory, openRegularFile } from "../process/agent-files.ts";
import type { RemoveTree } from "../runtime-entry.ts";
import { conversationFiles, eachFile, patternsOf, writeBelow } from "./conversation-files.ts";
import type { Preset } from "./preset.ts";

interface Place {
  readonly sessionId: string;
  readonly baseDirectory: string;
}

/** The directory of an agent's settings and conversations, below the session's own. */
export const STATE = "state";
/** Tells which conversation of the agent is ours. The agent can change it, and then only loses its own. */
export const ID_FILE = "acp-session.json";
/** Longer ids are none. */
const MOST_BYTES = 2000;

export const agentId = z.string().regex(/^[\w.:-]{1,200}$/);
const kept = z.object({ ours: z.string(), agents: agentId });

/** Returns the agent's own id of our conversation; null where none was begun, or its file is no longer ours. */
export async function readAgentId({ sessionId, baseDirectory }: Place): Promise<string | null> {
  const text = await inDirectory(baseDirectory, [], async (path) => {
    const file = await openRegularFile(`${path}/${ID_FILE}`);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  }).catch(() => "null");
  const { data } = kept.safeParse(parsed(text));
  return data?.ours === sessionId ? data.agents : null;
}

export async function keepAgentId(
  { sessionId, baseDirectory }: Place,
  agents: string,
  removeTree: RemoveTree,
): Promise<void> {
  await writeBelow(baseDirectory, ID_FILE, JSON.stringify({ ours: sessionId, agents }), removeTree);
}

/** Returns the agent's id of a conversation that can continue; null where nothing was said in it. */
export async function begunConversation(
  place: Place,
  { conversation }: Pick<Preset, "conversation">,
): Promise<string | null> {
  const id = await readAgentId(place);
  if (id === null) return null;
  const files = await conversationFiles(place.baseDirectory, patternsOf(conversation.files, id));
  let bytes = 0;
  // Some agents make the file first, and do not continue an empty one.
  await eachFile(place.baseDirectory, files, async (file) => void (bytes += (await file.stat()).size));
  return bytes === 0 ? null : id;
}

/** Deletes a conversation from disk, with the agent's settings; does nothing for a missing one. Follows no link. */
export async function deleteConversation(
  { baseDirectory }: Pick<Place, "baseDirectory">,
  removeTree: RemoveTree,
): Promise<void> {
  await inDirectory(baseDirectory, [], async (path) => {
    for (const name of [ID_FILE, STATE]) await removeTree(join(path, name));
  }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
