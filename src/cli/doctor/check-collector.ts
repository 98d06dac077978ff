import type { Collector } from "../../config/collector.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

const LIMIT_MS = 5000;
const about = "traces";
const LOST = "traces are lost until it does; all else continues";

/**
 * Checks whether the collector accepts traces, by posting an empty list. No finding quotes the header's
 * value.
 */
export const checkCollector: Check = async ({ config: { secrets } }) =>
  secrets.collector === undefined ? [] : collectorFindings(secrets.collector);

async function collectorFindings({ url, headers }: Collector): Promise<readonly Finding[]> {
  const init = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: '{"resourceSpans":[]}',
    redirect: "manual",
    signal: AbortSignal.timeout(LIMIT_MS),
  } as const;
  try {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    return response.ok ? [] : [refusal(url, response.status)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return [
      {
        about,
        what: `${url} cannot be reached (${messageOf(cause)}): ${LOST}`,
        next: "Start the collector, or correct telemetry.endpoint; take it out where traces are not wanted",
      },
    ];
  }
}

function refusal(url: string, status: number): Finding {
  const what = `${url} answers ${status}: ${LOST}`;
  if (status === 401 || status === 403)
    return { about, what, next: "Put a valid value into the variable that telemetry.header.value_env names" };
  return {
    about,
    what,
    next: "Point telemetry.endpoint to a collector's OTLP/HTTP receiver, which listens on port 4318 as a rule",
  };
}
