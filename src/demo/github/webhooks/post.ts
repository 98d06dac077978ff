import type { App } from "../world/records.ts";
import type { Delivery, Pending } from "./deliveries.ts";
import { signatureHeaders } from "./sign.ts";

/** What a webhook needs to know about the App. */
export type HookOwner = Pick<App, "id" | "hook">;

const timeoutMs = 10_000;

/** Posts one webhook as GitHub does, and returns the outcome. Never throws. */
export async function postWebhook(
  app: HookOwner,
  pending: Pending,
  nowMs: () => number,
  signal: AbortSignal,
): Promise<Omit<Delivery, "id">> {
  const url = app.hook.url;
  const requestHeaders: Record<string, string> = {
    accept: "*/*",
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/044aadd",
    "x-github-delivery": pending.guid,
    "x-github-event": pending.event,
    "x-github-hook-id": String(app.hook.id),
    "x-github-hook-installation-target-id": String(app.id),
    "x-github-hook-installation-target-type": "integration",
    ...(app.hook.secret === "" ? {} : signatureHeaders(app.hook.secret, pending.body)),
  };
  const at = nowMs();
  const started = performance.now();
  const common = { ...pending, at, url, requestHeaders };
  const seconds = (): number => Math.round(performance.now() - started) / 1000;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: requestHeaders,
      body: pending.body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const responseBody = await response.text();
    return {
      ...common,
      seconds: seconds(),
      status: response.ok ? "OK" : response.statusText || `Invalid HTTP Response: ${response.status}`,
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    };
  } catch (error) {
    const late = error instanceof Error && error.name === "TimeoutError";
    const outcome = late
      ? { status: "timed out", statusCode: 504 }
      : { status: "failed to connect to host", statusCode: 502 };
    return {
      ...common,
      seconds: seconds(),
      ...outcome,
      responseHeaders: {},
      responseBody: "",
    };
  }
}
