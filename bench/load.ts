import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { ReadLoad, WebhookLoad } from "./apart.ts";
import { timed } from "./work.ts";

/**
 * A load in a process of its own, so that its work delays no answer of Flotilla: `readers` reads until it is stopped and
 * reports how many answers it had, `webhooks` sends signed webhooks, one after the other, and reports the milliseconds that
 * each took.
 */
const connections = new Agent({ keepAlive: true });
// The parent process is gone.
process.once("disconnect", () => process.exit());
process.send?.("ready");
const [given] = await once(process, "message");
if (process.argv[2] === "readers") await readUntilStopped(given);
else process.send?.(await sendWebhooks(given));
process.disconnect();

async function readUntilStopped({ url, token, paths, readers }: ReadLoad): Promise<void> {
  const stop = once(process, "message");
  const state = { isStopped: false };
  let answers = 0;
  const headers = { authorization: `Bearer ${token}` };
  const all = Array.from({ length: readers }, async (_, reader) => {
    for (let next = reader; !state.isStopped; next += 1) {
      await answered(`${url}${paths[next % paths.length]}`, 200, headers);
      answers += 1;
    }
  });
  process.send?.("reading");
  await Promise.race([stop, Promise.all(all)]);
  state.isStopped = true;
  await Promise.all(all);
  process.send?.(answers);
}

async function sendWebhooks(load: WebhookLoad): Promise<readonly number[]> {
  const took: number[] = [];
  // Above the ids of all comments that were sent before.
  const before = Date.now() * 1000;
  for (let one = 1; one <= load.count; one += 1) {
    const body = JSON.stringify({
      ...load.payload,
      comment: { ...load.payload.comment, id: before + one },
    });
    const headers = {
      "content-type": "application/json",
      "x-github-event": "issue_comment",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", load.secret).update(body).digest("hex")}`,
    };
    took.push(await timed(() => answered(`${load.url}/api/github/webhooks`, 202, headers, body)));
    await pause(load.everyMs);
  }
  return took;
}

/** Sends a GET, or a POST of the body. Throws when it is answered with another status. */
async function answered(
  url: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<void> {
  const asking = request(url, { agent: connections, method: body === undefined ? "GET" : "POST", headers });
  asking.end(body);
  const [response] = await once(asking, "response");
  for await (const _ of response);
  if (response.statusCode !== status) throw new Error(`${url} answered ${response.statusCode}`);
}
