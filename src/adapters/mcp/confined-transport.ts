import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { PROCESS_MARK } from "../../domain/breakers/process-mark.ts";
import type { Command } from "../../domain/ports/runner.ts";
import { MOST_BYTES, MOST_MESSAGES } from "./bounds.ts";

/** Characters kept of the end of what a server writes to its standard error, for the log. */
const KEPT_OF_STDERR = 2000;

/** Carries messages over the standard streams of a command that is already confined. */
export class ConfinedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** True once the server sent more than an answer may have. */
  flooded = false;
  readonly #command: Command;
  readonly #buffer = new ReadBuffer({ maxBufferSize: MOST_BYTES });
  #child: ChildProcessWithoutNullStreams | undefined;
  #bytes = 0;
  #messages = 0;
  #stderr = "";
  #closed = false;

  constructor(command: Command) {
    this.#command = command;
  }

  /** The end of what the server wrote to its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  start(): Promise<void> {
    const { file, args, cwd, env } = this.#command;
    const mark = { [PROCESS_MARK]: env[PROCESS_MARK] ?? "" };
    // First, since only the beginning of a process's environment is read.
    const child = spawn(file, args, { cwd, env: { ...mark, ...env }, stdio: "pipe", detached: true });
    this.#child = child;
    // A server that is gone takes no message; its end is told by `close`.
    child.stdin.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => this.#heard(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk.toString("utf8")}`.slice(-KEPT_OF_STDERR);
    });
    // After `exit` the last answer may still be in the pipe.
    child.once("close", () => this.#end());
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        reject(error);
        this.#end();
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("the server is gone");
    // Only our own requests reset the counters. If our answers did too, a server could send requests for ever.
    if ("method" in message) {
      this.#bytes = 0;
      this.#messages = 0;
    }
    this.#child?.stdin.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#end();
  }

  #heard(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#closed || this.#isFlood()) return;
    try {
      this.#buffer.append(chunk);
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage()) {
        this.#messages += 1;
        if (this.#isFlood()) return;
        this.onmessage?.(message);
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error("it sent no message"));
      this.#end();
    }
  }

  #isFlood(): boolean {
    if (this.#bytes <= MOST_BYTES && this.#messages <= MOST_MESSAGES) return false;
    this.flooded = true;
    this.#end();
    return true;
  }

  /** Kills the command: of a confined one that ends everything inside. */
  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#buffer.clear();
    const child = this.#child;
    child?.stdin.destroy();
    child?.stdout.destroy();
    child?.stderr.destroy();
    child?.kill("SIGKILL");
    this.onclose?.();
  }
}
