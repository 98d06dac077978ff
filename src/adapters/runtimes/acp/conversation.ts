import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
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
/** How often it is looked whether the agent has written, and for how long. */
const LOOK_MS = 50;
const LOOKS = 100;

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
  return files.length === 0 ? null : id;
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

/** Knows whether an agent has written what it was last told, which it does by itself and some time later. */
export class SavedConversation {
  readonly #base: string;
  readonly #patterns: ReturnType<typeof patternsOf>;
  readonly #clock: Pick<Clock, "after">;
  readonly #log: Log;
  /** What the files looked like when the agent was last told something; null once it has written since. */
  #before: string | null = null;

  constructor(
    { baseDirectory }: Pick<Place, "baseDirectory">,
    patterns: ReturnType<typeof patternsOf>,
    { clock, log }: { readonly clock: Pick<Clock, "after">; readonly log: Log },
  ) {
    this.#base = baseDirectory;
    this.#patterns = patterns;
    this.#clock = clock;
    this.#log = log;
  }

  /** Call this before you send the agent anything that its conversation must keep. */
  async expectMore(): Promise<void> {
    this.#before = await this.#look();
  }

  /** Waits until the agent has written, for some seconds at most and while it runs, and until its files are on disk. */
  async save(isRunning: () => boolean): Promise<void> {
    for (let look = 0; look < LOOKS && this.#before !== null && isRunning(); look += 1) {
      if ((await this.#look()) !== this.#before) this.#before = null;
      else await new Promise<void>((resolve) => void this.#clock.after(LOOK_MS, resolve));
    }
    if (this.#before !== null) this.#log.debug({}, "the agent has not written its conversation yet");
    await this.sync();
  }

  /** Waits until what the agent has written is on disk. */
  async sync(): Promise<void> {
    const files = await conversationFiles(this.#base, this.#patterns);
    await eachFile(this.#base, files, (file) => file.datasync());
  }

  async #look(): Promise<string> {
    const seen: string[] = [];
    const files = await conversationFiles(this.#base, this.#patterns);
    await eachFile(this.#base, files, async (file, path) => {
      const { size, mtimeNs } = await file.stat({ bigint: true });
      seen.push(`${path} ${size} ${mtimeNs}`);
    });
    return seen.join("\n");
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
