import { readFileSync } from "node:fs";
import { z } from "zod";

/** Stands in a recording for the commit that the agent pushed. */
export const HEAD = "{{head}}";

const webhook = z.strictObject({
  guid: z.string(),
  /** `event.action`, or `event` where there is no action. */
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
});

/** What GitHub sent of one issue's life. Between two moments Flotilla has done what followed of the first. */
const life = z.strictObject({ name: z.string(), moments: z.array(z.array(webhook)) });

export type Webhook = z.infer<typeof webhook>;
export type Life = z.infer<typeof life>;

export function lifeOf(name: string): Life {
  const url = new URL(`../fixtures/lives/${name}.json`, import.meta.url);
  return life.parse(JSON.parse(readFileSync(url, "utf8")));
}

/** With the commit that the agent made where it is played. */
export function placed(sent: Webhook, head: string | undefined): Webhook {
  const text = JSON.stringify(sent);
  if (!text.includes(HEAD)) return sent;
  if (head === undefined) throw new Error(`${sent.guid}: the agent has opened no pull request`);
  return webhook.parse(JSON.parse(text.replaceAll(HEAD, head)));
}
