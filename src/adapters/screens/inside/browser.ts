import { type ChildProcess, spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";

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

/** Characters of the end of what it prints. */
const MOST_SAID = 300;

/** A Chromium inside the sandbox: what it is asked and tells goes over the two pipes of its debugging protocol. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #commands: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(told: Told) => void>();
  #last = 0;
  #unread: Buffer[] = [];
  #said = "";
  /** Why nothing can be asked any more. */
  #over: Error | null = null;

  /** `home` = where it may leave files. */
  constructor(file: string, args: readonly string[], home: string) {
    // The name of a socket has a limit, so its directory is not the checkout's, whose path may be long.
    const env = { HOME: home, TMPDIR: "/tmp", TZ: "UTC", LANG: "C.UTF-8" };
    this.#child = spawn(file, args, { env, stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    this.#child.once("error", (error) => this.#end(error));
    this.#child.once("exit", () => this.#end());
    const [, , , commands, answers] = this.#child.stdio;
    if (!(commands instanceof Writable && answers instanceof Readable))
      throw new Error("Chromium has no pipes");
    this.#commands = commands;
    commands.on("error", () => this.#end());
    answers.on("error", () => this.#end());
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-MOST_SAID);
    });
    answers.on("data", (chunk: Buffer) => this.#read(chunk));
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

  #end(why = new Error(`Chromium ended: ${this.#said.trim().split("\n").at(-1) ?? ""}`)): void {
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
