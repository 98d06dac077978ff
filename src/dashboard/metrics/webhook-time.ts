import type { IncomingMessage, ServerResponse } from "node:http";
import type { Instruments } from "./instruments.ts";

const ACCEPTED = 202;

/** Measures how long the sender of a webhook waits until it is stored; refused ones are not measured. */
export function timeWebhook(
  { webhookSeconds }: Pick<Instruments, "webhookSeconds">,
  path: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): void {
  if (request.url !== path || request.method !== "POST") return;
  const stop = webhookSeconds.startTimer();
  response.once("finish", () => {
    if (response.statusCode === ACCEPTED) stop();
  });
}
