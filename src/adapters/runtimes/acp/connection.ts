import type { Readable, Writable } from "node:stream";
import { messageOf } from "../../../domain/kernel/errors.ts";
import { printableLine } from "../../../domain/messages/printable.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import { withTimeout } from "../../../time/with-timeout.ts";
import { type Message, readMessages } from "./message-lines.ts";

/** Requests of an agent that wait for our answer at the same time. */
const MOST_ASKED = 100;
/** Bytes that an agent has not read yet before it is read no more. */
const MOST_UNREAD = 1024 * 1024;
/** Characters of an agent's error that are kept: it goes into the log, and to people. */
const MOST_SAID = 1000;

export const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
const TOO_MANY = -32000;

/** The other side answered with an error. `code` -32601: it has no such method. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What is wrong with an agent: `message` is the rest of a sentence about it. */
export class AgentFault extends Error {
  override readonly name: string = "AgentFault";
}

/** There is nobody who could answer. */
export class ConnectionLost extends AgentFault {
  override readonly name = "ConnectionLost";
}

/** Handles the requests and notifications that an agent sends. */
export interface Handlers {
  /** Returns the answer; an `RpcError` that it throws keeps its code. */
  asked(method: string, params: unknown): Promise<unknown>;
  /** Must not throw. */
  told(method: string, params: unknown): void;
}

/** JSON-RPC with one agent over its standard streams. */
export interface Connection {
  /** Rejects with `RpcError`, `ConnectionLost`, or after `ms` milliseconds with an `AgentFault`. */
  ask(method: string, params: object, ms?: number): Promise<unknown>;
  tell(method: string, params: object): void;
  /** Resolves when nobody answers any more, with the rest of a sentence about the agent. */
  readonly lost: Promise<string>;
  /** Ends it for our side: nothing more is heard, and what was asked is lost. The first reason stays. */
  lose(why: string): void;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function connect(
  { input, output }: { readonly input: Readable; readonly output: Writable },
  handlers: Handlers,
  clock: Pick<Clock, "now" | "after">,
): Connection {
  const waiting = new Map<number, Waiting>();
  const { promise: lost, resolve: resolveLost } = Promise.withResolvers<string>();
  let lostBecause: string | undefined;
  let lastId = 0;
  let asked = 0;
  let isHeld = false;

  function lose(why: string): void {
    if (lostBecause !== undefined) return;
    lostBecause = why;
    for (const { reject } of waiting.values()) reject(new ConnectionLost(why));
    waiting.clear();
    resolveLost(why);
  }

  function send(body: object): void {
    if (lostBecause !== undefined || !output.writable) return;
    output.write(`${JSON.stringify({ jsonrpc: "2.0", ...body })}\n`);
    // Else an agent that asks and never reads would fill our memory.
    if (output.writableLength <= MOST_UNREAD || isHeld) return;
    isHeld = true;
    lines.hold();
    output.once("drain", () => {
      isHeld = false;
      lines.release();
    });
  }

  async function answer(id: string | number | null, method: string, params: unknown): Promise<void> {
    if (asked >= MOST_ASKED)
      return send({ id, error: { code: TOO_MANY, message: "too many requests at once" } });
    asked += 1;
    try {
      send({ id, result: await handlers.asked(method, params) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : INTERNAL_ERROR;
      send({ id, error: { code, message: messageOf(error) } });
    } finally {
      asked -= 1;
    }
  }

  function heard({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      if (id === undefined) handlers.told(method, params);
      else void answer(id, method, params);
      return;
    }
    const asker = typeof id === "number" ? waiting.get(id) : undefined;
    if (asker === undefined || typeof id !== "number") return;
    waiting.delete(id);
    if (error === undefined) asker.resolve(result);
    else asker.reject(new RpcError(error.code, printableLine(error.message.slice(0, MOST_SAID))));
  }

  const lines = readMessages(input, { heard, ended: lose }, clock);
  // A broken pipe is an end that the input tells too.
  output.on("error", () => undefined);
  return {
    ask(method, params, ms) {
      if (lostBecause !== undefined) return Promise.reject(new ConnectionLost(lostBecause));
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
      if (ms === undefined) return promise;
      return withTimeout(clock, ms, promise, () => {
        waiting.delete(id);
        throw new AgentFault(`did not answer ${method} within ${ms / 1000} s`);
      });
    },
    tell: (method, params) => send({ method, params }),
    lost,
    lose,
  };
}
