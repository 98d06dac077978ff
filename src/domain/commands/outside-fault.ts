import { type OutsideError, StaleSnapshot } from "../kernel/errors.ts";
import type { OperationFault } from "./operation-fault.ts";

/** Error codes of adapters for a missing permission. */
const DENIED: ReadonlySet<string> = new Set(["forbidden", "unauthorized"]);

/** Returns the fault for an error from outside; it is retryable where the cause passes by itself. */
export function faultOfOutside(error: OutsideError): OperationFault {
  if (error instanceof StaleSnapshot) return { code: "stale_snapshot", machine: error.machine };
  const { message: detail, retryAt } = error;
  if (error.consequence === "park" && retryAt !== undefined)
    return { code: "rate_limited", reset_at: retryAt };
  if (error.consequence === "park" || error.consequence === "retry")
    return { code: "transport_unavailable", detail };
  if (DENIED.has(error.code))
    return { code: "permission_denied", needed: `a right that is missing: ${detail}` };
  return { code: "internal", detail };
}
