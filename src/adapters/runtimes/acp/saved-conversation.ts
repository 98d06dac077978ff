import type { Clock } from "../../../domain/ports/clock.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { conversationFiles, eachFile, patternsOf, textsIn } from "./conversation-files.ts";
import type { Preset } from "./preset.ts";

/** How often it is looked whether the agent has written. */
const LOOK_MS = 50;
/** For how long, in looks: less than a session's save may take. */
const LOOKS = 280;
/** The same for an agent of which nobody knows how it writes, and whether it does so in the middle of a turn. */
const LOOKS_FOR_ANY = 100;
/** Pieces of a message by which it is found, and their length in characters. */
const PIECES = 40;
const PIECE = /\w[\w ,.:;()-]{6,46}\w/g;

interface Place {
  readonly baseDirectory: string;
  /** The agent's own id of the conversation. */
  readonly id: string;
}

/**
 * Knows whether an agent has written what it was told, which it does by itself and some time later. Where the preset says
 * how its files are read, that is seen in them. A change of theirs proves less: agents make a file before they have
 * anything to write, and write about other things between messages.
 */
export class SavedConversation {
  readonly #base: string;
  readonly #patterns: ReturnType<typeof patternsOf>;
  readonly #resultOf: Preset["conversation"]["resultOf"];
  readonly #clock: Pick<Clock, "after">;
  readonly #log: Log;
  /** A piece of the last message that no file held before; null once it is written, and where there is none. */
  #message: string | null = null;
  /** The calls whose results are known to be written. */
  #written: ReadonlySet<string> = new Set();
  /** What the files looked like before what is only seen by a change of theirs; null once they have changed. */
  #before: string | null = null;

  constructor(
    { baseDirectory, id }: Place,
    { files, resultOf }: Preset["conversation"],
    { clock, log }: { readonly clock: Pick<Clock, "after">; readonly log: Log },
  ) {
    this.#base = baseDirectory;
    this.#patterns = patternsOf(files, id);
    this.#resultOf = resultOf;
    this.#clock = clock;
    this.#log = log;
  }

  /** Call this before you send the agent a message. */
  async expectMessage(text: string): Promise<void> {
    const pieces = this.#resultOf === undefined ? [] : piecesOf(text);
    const before = await this.#found(pieces);
    this.#message = pieces.find((piece) => !before.has(piece)) ?? null;
    this.#before = this.#message === null ? await this.#look() : null;
  }

  /** Call this before you answer a call of one of our tools. */
  async expectAnswer(): Promise<void> {
    if (this.#resultOf === undefined) this.#before = await this.#look();
  }

  /**
   * Waits until the agent has written its last message and the results of these calls, while it runs, and until its files
   * are on disk. Throws where it does not write them.
   */
  async save(calls: readonly string[], isRunning: () => boolean): Promise<void> {
    let last: string | null = null;
    const looks = this.#resultOf === undefined ? LOOKS_FOR_ANY : LOOKS;
    for (let look = 0; look < looks && isRunning(); look += 1) {
      const now = await this.#look();
      if (now !== this.#before) this.#before = null;
      // Files that are as they were hold what they held.
      if (this.#before === null && now !== last && (await this.#isWritten(calls))) return this.sync();
      last = now;
      await new Promise<void>((resolve) => void this.#clock.after(LOOK_MS, resolve));
    }
    await this.sync();
    if (!isRunning()) return;
    if (this.#resultOf !== undefined) throw new Error("the agent has not written its conversation yet");
    this.#log.debug({}, "the agent has not written its conversation yet");
  }

  /** Waits until what the agent has written is on disk. */
  async sync(): Promise<void> {
    const files = await conversationFiles(this.#base, this.#patterns);
    await eachFile(this.#base, files, (file) => file.datasync());
  }

  async #isWritten(calls: readonly string[]): Promise<boolean> {
    const resultOf = this.#resultOf;
    const message = this.#message;
    const results =
      resultOf === undefined || calls.every((id) => this.#written.has(id)) ? [] : calls.map(resultOf);
    const texts = [...(message === null ? [] : [message]), ...results];
    const found = await this.#found(texts);
    if (!texts.every((text) => found.has(text))) return false;
    // Another one may have been sent meanwhile.
    if (this.#message === message) this.#message = null;
    this.#written = new Set(calls);
    return true;
  }

  /** Returns those of the texts that the files hold. */
  async #found(texts: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    if (texts.length === 0) return found;
    const files = await conversationFiles(this.#base, this.#patterns);
    await eachFile(this.#base, files, async (file, path) => {
      for (const text of await textsIn(file, path, texts)) found.add(text);
    });
    return found;
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

/** Returns pieces of a message that look alike in every way to write it, or else the beginning as JSON writes it. */
function piecesOf(text: string): readonly string[] {
  const plain = text.match(PIECE)?.slice(0, PIECES) ?? [];
  return plain.length > 0 ? plain : [JSON.stringify(text).slice(1, 50).replace(/"$/, "")];
}
