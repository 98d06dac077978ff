import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/**
 * Runs inside the sandbox: a Chromium, and what it is asked and tells over the two pipes of its debugging protocol. Imports
 * none of our other modules, because they cannot be read inside.
 */

/** What the browser tells by itself; `sessionId` names the page. */
export interface Told {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sessionId: string | undefined;
}

type Answer = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class Browser {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(told: Told) => void>();
  #last = 0;
  #unread: Buffer[] = [];
  /** Why nothing can be asked any more. */
  #over: Error | null = null;

  /** `home` = where it may leave files. */
  constructor(file: string, args: readonly string[], home: string) {
    const env = { ...process.env, HOME: home };
    this.#child = spawn(file, args, { env, stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.#child.once("error", (error) => this.#end(error));
    this.#child.once("exit", () => this.#end(new Error("Chromium ended")));
    this.#commands.on("error", () => this.#end(new Error("Chromium ended")));
    this.#answers.on("error", () => this.#end(new Error("Chromium ended")));
    this.#answers.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  /** Rejects with what the browser answers, and when it is gone. */
  ask(method: string, params: object = {}, sessionId?: string): Promise<Answer> {
    if (this.#over !== null) return Promise.reject(this.#over);
    this.#last += 1;
    const id = this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, { resolve, reject });
    this.#commands.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return promise;
  }

  /** Returns what ends the listening. */
  listen(listener: (told: Told) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  get #commands(): Writable {
    return this.#child.stdio[3] as Writable;
  }

  get #answers(): Readable {
    return this.#child.stdio[4] as Readable;
  }

  #end(why: Error): void {
    this.#over ??= why;
    for (const { reject } of this.#waiting.values()) reject(this.#over);
    this.#waiting.clear();
  }

  /** Each message ends with a zero byte; a picture's has many chunks. */
  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      this.#hear(Buffer.concat([...this.#unread, rest.subarray(0, end)]).toString());
      this.#unread = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#unread.push(rest);
  }

  #hear(text: string): void {
    const { id, method, params = {}, sessionId, result = {}, error } = JSON.parse(text);
    if (id === undefined) {
      for (const listener of this.#listeners) listener({ method, params, sessionId });
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(String(error.message)));
  }
}
