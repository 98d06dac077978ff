import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { openRegularFile } from "../process/agent-files.ts";
import { continued, plainMessages } from "./stable-messages.ts";

/** A larger file belongs to no conversation that a model could continue. */
const MOST_BYTES = 64 * 1024 * 1024;

const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NOFOLLOW } = constants;

/**
 * The messages of one conversation as the provider was sent them. Each request begins with the bytes of the one
 * before, also after the runtime has read the conversation from its disk and builds earlier messages differently:
 * otherwise no cache of the provider would hold it. They are kept in a file, one message per line; without it a
 * request is sent as the runtime built it.
 */
export class SentMessages {
  /** Messages of an earlier process, until the first request of this one. */
  #earlier: readonly unknown[];
  /** The last request as the runtime built it, and as it was sent, each message as JSON. */
  #built: readonly string[] = [];
  #sent: readonly string[] = [];
  /** What the file holds; null where that is unknown. */
  #kept: readonly string[] | null;
  #writes: Promise<void> = Promise.resolve();
  readonly #file: string | null;
  readonly #log: Log;

  private constructor(file: string | null, kept: readonly string[] | null, log: Log) {
    this.#file = file;
    this.#kept = kept;
    this.#earlier = (kept ?? []).map((line): unknown => JSON.parse(line));
    this.#log = log;
  }

  /** Reads the file, which need not exist; null keeps nothing. */
  static async open(file: string | null, log: Log): Promise<SentMessages> {
    return new SentMessages(file, file === null ? null : await read(file), log);
  }

  /** Returns the body to send for one that the runtime built, and keeps its messages. */
  next(body: object): object {
    const messages: unknown = Reflect.get(body, "messages");
    if (!Array.isArray(messages)) return withPlainInput(body);
    const plain = plainMessages(messages);
    const built = plain.map((message) => JSON.stringify(message));
    const sent = this.#toSend(plain, built);
    this.#keep(sent);
    this.#earlier = [];
    this.#built = built;
    this.#sent = sent;
    return { ...body, messages: sent.map((message): unknown => JSON.parse(message)) };
  }

  #toSend(plain: readonly unknown[], built: readonly string[]): readonly string[] {
    if (this.#earlier.length > 0)
      return continued(this.#earlier, plain).map((message) => JSON.stringify(message));
    return beginsWith(built, this.#built) ? [...this.#sent, ...built.slice(this.#built.length)] : built;
  }

  /** Resolves when all messages are in the file. */
  written(): Promise<void> {
    return this.#writes;
  }

  #keep(sent: readonly string[]): void {
    const file = this.#file;
    if (file === null) return;
    this.#writes = this.#writes
      .then(() => this.#write(file, sent))
      .catch((error: unknown) => {
        this.#log.warn(
          { error: messageOf(error) },
          "messages to the model not kept: after its next wake the provider's cache is missed once",
        );
      });
  }

  async #write(file: string, sent: readonly string[]): Promise<void> {
    const kept = this.#kept;
    this.#kept = null;
    if (kept !== null && beginsWith(sent, kept)) await append(file, sent.slice(kept.length));
    else await replace(file, sent);
    this.#kept = sent;
  }
}

function withPlainInput(body: object): object {
  const input: unknown = Reflect.get(body, "input");
  return Array.isArray(input) ? { ...body, input: plainMessages(input) } : body;
}

function beginsWith(list: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((one, index) => list[index] === one);
}

/** Returns the lines of the file; null where it is missing, too large or not whole. */
async function read(path: string): Promise<readonly string[] | null> {
  let file: FileHandle | undefined;
  try {
    file = await openRegularFile(path);
    if ((await file.stat()).size > MOST_BYTES) return null;
    const lines = (await file.readFile("utf8")).split("\n");
    return lines.pop() === "" && lines.every(isJson) ? lines : null;
  } catch {
    return null;
  } finally {
    await file?.close();
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function append(path: string, messages: readonly string[]): Promise<void> {
  if (messages.length > 0) await write(path, O_APPEND, messages);
}

async function replace(path: string, messages: readonly string[]): Promise<void> {
  await write(`${path}.new`, O_TRUNC, messages);
  await rename(`${path}.new`, path);
}

async function write(path: string, flag: number, messages: readonly string[]): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | flag, 0o600);
  try {
    await file.appendFile(messages.map((message) => `${message}\n`).join(""));
  } finally {
    await file.close();
  }
}
