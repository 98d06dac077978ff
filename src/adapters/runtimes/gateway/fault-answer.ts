import type { Dialect, Fault } from "./dialects/dialect.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Codes of faults that another model would find too, and of those that only a person can mend. */
const OF_REQUEST = /invalid|context|too_?large|authent|permission|not_?found|policy|safety|precondition/i;

export function isRequestsOwn({ code }: Fault): boolean {
  return OF_REQUEST.test(code);
}

/** Returns the error that a provider has put into an answer of 200 as one with a status of its own. */
export function faultAnswer(fault: Fault, dialect: Dialect): Response {
  const status = statusOf(fault);
  const pause = retryAfterMs(fault.message);
  return Response.json(dialect.error({ ...fault, status }), {
    status,
    headers: pause === undefined ? {} : { "retry-after-ms": String(pause) },
  });
}

function statusOf({ code }: Fault): number {
  if (/quota|billing|^402$/i.test(code)) return 402;
  if (/rate_?limit|exhausted|^429$/i.test(code)) return 429;
  return code === "no_answer" ? 502 : 503;
}
