import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { messageOf } from "../../../domain/kernel/errors.ts";
import type { Log } from "../../../domain/ports/log.ts";
import { openRegularFile } from "../process/agent-files.ts";
import type { ToolResult } from "./dialects/dialect.ts";
import { field } from "./dialects/fields.ts";

/** A larger file belongs to no conversation that a model could continue. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Where an agent makes the ids, it could fill the disk with one. */
const LONGEST_ID = 200;

const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;

/**
 * What the host has added to results of tools. The agent does not know of it, so it is added to each later request too,
 * also after a restart: the model would otherwise forget it, and no cache of the provider would hold the conversation.
 */
export class Remarks {
  readonly #texts: Map<string, string>;
  readonly #file: string | null;
  readonly #log: Log;
  #writes: Promise<void> = Promise.resolve();

  private constructor(file: string | null, texts: Map<string, string>, log: Log) {
    this.#file = file;
    this.#texts = texts;
    this.#log = log;
  }

  /** Reads the file, which need not exist and which no agent can reach; null keeps nothing. */
  static async open(file: string | null, log: Log): Promise<Remarks> {
    return new Remarks(file, new Map(file === null ? [] : await read(file)), log);
  }

  of(key: string): string | undefined {
    return this.#texts.get(key);
  }

  add(key: string, text: string): void {
    this.#texts.set(key, text);
    const file = this.#file;
    if (file === null) return;
    this.#writes = this.#writes
      .then(() => append(file, `\n${JSON.stringify([key, text])}`))
      .catch((error: unknown) => {
        this.#log.warn(
          { error: messageOf(error) },
          "remark to the model not kept: it is lost at the next wake",
        );
      });
  }

  /** Resolves when all remarks are in the file. Never rejects. */
  written(): Promise<void> {
    return this.#writes;
  }
}

/** Returns the key of each result in a request: its id, or its tool and text, and which of several alike it is. */
export function keysOf(results: readonly ToolResult[]): readonly string[] {
  const seen = new Map<string, number>();
  return results.map(({ id, name, text }) => {
    const one = id !== null && id.length <= LONGEST_ID ? id : `${name ?? ""}#${digest(id ?? text)}`;
    const before = seen.get(one) ?? 0;
    seen.set(one, before + 1);
    return before === 0 ? one : `${one}#${before}`;
  });
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

async function read(path: string): Promise<readonly [string, string][]> {
  try {
    const file = await openRegularFile(path);
    try {
      if ((await file.stat()).size > MOST_BYTES) return [];
      return (await file.readFile("utf8")).split("\n").flatMap(entryOf);
    } finally {
      await file.close();
    }
  } catch {
    return [];
  }
}

/** A line that a crash has cut off is none; each one begins with a newline, so that it spoils no other. */
function entryOf(line: string): [string, string][] {
  try {
    const entry: unknown = JSON.parse(line);
    const [key, text] = [field(entry, "0"), field(entry, "1")];
    return typeof key === "string" && typeof text === "string" ? [[key, text]] : [];
  } catch {
    return [];
  }
}

async function append(path: string, line: string): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    await file.appendFile(line);
  } finally {
    await file.close();
  }
}
