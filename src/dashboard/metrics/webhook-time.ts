import type { Asked } from "../../server/http-server.ts";
import type { Instruments } from "./instruments.ts";

const ACCEPTED = 202;

/** Measures how long the sender of a webhook waits until it is stored; refused ones are not measured. */
export function timeWebhook(
  { webhookSeconds }: Pick<Instruments, "webhookSeconds">,
  { request, response }: Pick<Asked, "request" | "response">,
): void {
  if (request.method !== "POST") return;
  const stop = webhookSeconds.startTimer();
  response.once("finish", () => {
    if (response.statusCode === ACCEPTED) stop();
  });
}
