import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";

interface Paths {
  readonly url: string;
  readonly token: string;
  readonly paths: readonly string[];
}

export interface ListLoad extends Paths {
  readonly rounds: number;
}

export interface ReadLoad extends Paths {
  readonly readers: number;
}

export interface WebhookLoad {
  readonly url: string;
  readonly secret: string;
  /** A comment. Each webhook gets a new id. */
  readonly payload: { readonly comment: object; readonly [field: string]: unknown };
  readonly count: number;
  readonly everyMs: number;
}

const times = z.array(z.number()).readonly();
const sent = z.object({ took: times, late: times });

/** Milliseconds: each webhook's time until its answer, and how late each of the sender's own timers was. */
export type Sent = z.infer<typeof sent>;

/** Sends webhooks from one process while readers in another process read continuously. */
export async function webhooksBesideReaders(readLoad: ReadLoad, webhookLoad: WebhookLoad): Promise<Sent> {
  const readers = start("readers");
  const sender = start("webhooks");
  try {
    await Promise.all([answerOf(readers), answerOf(sender)]);
    readers.send(readLoad);
    await answerOf(readers);
    sender.send(webhookLoad);
    const webhooks = sent.parse(await answerOf(sender));
    readers.send("stop");
    // A reader that failed reports it with its exit code.
    if ((await answerOf(readers)) === 0) throw new Error("nothing was read");
    return webhooks;
  } finally {
    readers.kill("SIGKILL");
    sender.kill("SIGKILL");
  }
}

/** Reads each path several times in succession, from a separate process. Returns the milliseconds of each path. */
export async function timesOfLists(load: ListLoad): Promise<readonly (readonly number[])[]> {
  const reader = start("lists");
  try {
    await answerOf(reader);
    reader.send(load);
    return z.array(times).parse(await answerOf(reader));
  } finally {
    reader.kill("SIGKILL");
  }
}

function start(load: "lists" | "readers" | "webhooks"): ChildProcess {
  return fork(new URL("load.ts", import.meta.url), [load], { execArgv: [] });
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a load ended with ${String(code)}`);
  });
  const [answer]: unknown[] = await Promise.race([once(child, "message"), ended]);
  return answer;
}
