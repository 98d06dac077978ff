import type { Observe } from "../../src/demo/github/http/observe.ts";
import { checkRequest, checkResponse } from "./check-api.ts";
import { checkWebhook } from "./check-webhook.ts";

/**
 * Checks for `startLocalGitHub({ observe })`: every request, answer and webhook against GitHub's descriptions.
 * A test asserts at its end that `violations` is empty. `seen` counts what was checked, by operation or event.
 */
export function watchGitHub(): {
  observe: Observe;
  violations: string[];
  seen: { requests: number; webhooks: Map<string, number> };
} {
  const violations: string[] = [];
  const seen = { requests: 0, webhooks: new Map<string, number>() };
  const observe: Observe = {
    request: (request) => {
      seen.requests += 1;
      violations.push(...checkRequest(request));
    },
    response: (response) => void violations.push(...checkResponse(response)),
    webhook: ({ event, payload }) => {
      const { action } = payload;
      const name = typeof action === "string" ? `${event}.${action}` : event;
      seen.webhooks.set(name, (seen.webhooks.get(name) ?? 0) + 1);
      violations.push(...checkWebhook(event, payload));
    },
  };
  return { observe, violations, seen };
}
