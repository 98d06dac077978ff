import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";

export interface ReadLoad {
  readonly url: string;
  readonly token: string;
  readonly paths: readonly string[];
  readonly readers: number;
}

export interface WebhookLoad {
  readonly url: string;
  readonly secret: string;
  /** A comment; its id is made anew for each. */
  readonly payload: { readonly comment: object; readonly [field: string]: unknown };
  readonly count: number;
  readonly everyMs: number;
}

const times = z.array(z.number()).readonly();

/** Sends webhooks from one process while readers in another read without a pause. Returns the milliseconds of each. */
export async function webhooksBesideReaders(
  readLoad: ReadLoad,
  webhookLoad: WebhookLoad,
): Promise<readonly number[]> {
  const readers = start("readers");
  const sender = start("webhooks");
  try {
    await Promise.all([answerOf(readers), answerOf(sender)]);
    readers.send(readLoad);
    await answerOf(readers);
    sender.send(webhookLoad);
    const webhooks = times.parse(await answerOf(sender));
    readers.send("stop");
    // A reader that failed says so by its exit code.
    if ((await answerOf(readers)) === 0) throw new Error("nothing was read");
    return webhooks;
  } finally {
    readers.kill("SIGKILL");
    sender.kill("SIGKILL");
  }
}

function start(load: "readers" | "webhooks"): ChildProcess {
  return fork(new URL("load.ts", import.meta.url), [load], { execArgv: [] });
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a load ended with ${String(code)}`);
  });
  const [answer]: unknown[] = await Promise.race([once(child, "message"), ended]);
  return answer;
}
