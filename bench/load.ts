import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { constants, setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { ListLoad, ReadLoad, Sent, WebhookLoad } from "./apart.ts";
import { timed } from "./work.ts";

/**
 * Generates a load in its own process, so that its work delays no answer of Flotilla, and the bench's own work as
 * GitHub delays no measurement. `lists` reads path after path and reports the milliseconds of each. `readers` reads
 * until it is stopped and reports the number of answers. `webhooks` sends signed webhooks one after another, and
 * reports the milliseconds of each and how late its own timers were. Readers run with low priority: otherwise the
 * sender would wait for them, and measure its own waiting.
 */
const connections = new Agent({ keepAlive: true });
// The parent process has ended.
process.once("disconnect", () => process.exit());
process.send?.("ready");
const [given] = await once(process, "message");
if (process.argv[2] === "readers") {
  setPriority(constants.priority.PRIORITY_LOW);
  await readUntilStopped(given);
} else if (process.argv[2] === "lists") process.send?.(await readLists(given));
else process.send?.(await sendWebhooks(given));
process.disconnect();

async function readLists({ url, token, paths, rounds }: ListLoad): Promise<readonly (readonly number[])[]> {
  const headers = { authorization: `Bearer ${token}` };
  const took: number[][] = [];
  for (const path of paths) {
    const each: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      each.push(await timed(() => answered(`${url}${path}`, 200, headers)));
    took.push(each);
  }
  return took;
}

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

async function sendWebhooks(load: WebhookLoad): Promise<Sent> {
  const took: number[] = [];
  const late: number[] = [];
  // Above the ids of all comments sent before.
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
    late.push(Math.max(0, (await timed(() => pause(load.everyMs))) - load.everyMs));
  }
  return { took, late };
}

/** Sends a GET, or a POST with the body. Throws if the status is not the expected one. */
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
