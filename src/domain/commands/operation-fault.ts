import { type Hold, holdText } from "../breakers/hold.ts";
import { type OutsideError, StaleSnapshot } from "../kernel/errors.ts";

/** Why an operation on an agent was refused or did not complete. A fault without a `hint` gets one by its code. */
export type OperationFault =
  | { readonly code: "not_found"; readonly what: string }
  | { readonly code: "already_exists"; readonly what: string }
  | { readonly code: "invalid_argument"; readonly argument: string; readonly expected: string }
  | {
      readonly code: "invalid_state" | "not_interactive" | "dead_agent";
      readonly agent: string;
      readonly state: string;
      readonly operation: string;
      /** Why, in words, where the state does not say it. */
      readonly why?: string;
    }
  | { readonly code: "transport_unavailable"; readonly detail: string }
  | { readonly code: "wait_timeout"; readonly target: readonly string[]; readonly last: string }
  | { readonly code: "wait_cancelled"; readonly last: string }
  | {
      readonly code: "capability_mismatch";
      readonly runtime: string;
      readonly requested: string;
      readonly hint: string;
    }
  /** The proposal of the repository's file was refused; both fields in words. */
  | { readonly code: "not_proposed"; readonly why: string; readonly hint: string }
  /** A goal, a sprint or a machine does not accept the command now; both fields in words. */
  | { readonly code: "not_steered"; readonly why: string; readonly hint: string }
  /** Something other than a person's pause of this agent holds it; `hint` says what ends that. */
  | {
      readonly code: "held";
      readonly agent: string;
      readonly holds: readonly Hold[];
      readonly hint: string;
    }
  | {
      readonly code: "policy_denied";
      readonly rule: string;
      readonly reason: string;
      readonly hint: string;
    }
  | { readonly code: "permission_denied"; readonly needed: string }
  | { readonly code: "budget_exceeded"; readonly breaker: string }
  /** Milliseconds since the epoch. */
  | { readonly code: "rate_limited"; readonly reset_at: number }
  | { readonly code: "tool_not_allowed"; readonly tool: string }
  | { readonly code: "turn_limit_exceeded"; readonly turns: number }
  | { readonly code: "agent_already_running"; readonly agent: string }
  /** The id of a request. */
  | { readonly code: "id_reused"; readonly id: string }
  | { readonly code: "task_not_found"; readonly issue: number }
  | { readonly code: "stale_snapshot"; readonly machine: string }
  | { readonly code: "internal"; readonly detail: string };
export type OperationCode = OperationFault["code"];

/** Faults after which the same request may be repeated unchanged. */
const RETRYABLE: ReadonlySet<OperationCode> = new Set([
  "transport_unavailable",
  "wait_timeout",
  "wait_cancelled",
  "rate_limited",
  "stale_snapshot",
]);

/** Faults that have their own hint. */
type Hinted = Extract<OperationFault, { readonly hint: string }>;

const HINTS: Readonly<Record<Exclude<OperationCode, Hinted["code"]>, string>> = {
  not_found:
    "`flotilla agents list`, `flotilla goals list` and `flotilla deliveries list` show what there is",
  already_exists: "use the one that exists, or end it first",
  invalid_argument: "run `flotilla agents --help` for its options",
  invalid_state: "`flotilla agents show <agent>` shows its state and what it waits for",
  not_interactive:
    "nobody listens yet or any more; `flotilla agents wait <agent> --for running`, then try again",
  dead_agent: "it has ended; `flotilla agents revive <agent>` starts a new attempt",
  transport_unavailable: "try again in a few seconds; start Flotilla with `npm start` if it does not run",
  wait_timeout: "wait again, or longer with --timeout",
  wait_cancelled: "wait again; nothing was changed",
  permission_denied: "let somebody ask who has the permission",
  budget_exceeded: "`/flotilla budget +N` on the issue grants more",
  rate_limited: "wait until reset_at; nothing is counted against the issue",
  tool_not_allowed: "the role file's `tools` lists what the role may call",
  turn_limit_exceeded: "`/flotilla continue [n]` on the issue grants more turns",
  agent_already_running: "`flotilla agents send` talks to it, `flotilla agents kill` ends it",
  id_reused: "send this request with an id of its own; an id is for repeating the same request",
  task_not_found: "label the issue, or say `/flotilla start <role>` on it",
  stale_snapshot: "it was changed meanwhile; ask again",
  internal: "the log of the serving process says more",
};

/** A refused or failed operation: `fault` has the details, `hint` says what to do next. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  readonly fault: OperationFault;
  readonly code: OperationCode;
  readonly retryable: boolean;
  readonly hint: string;

  constructor(fault: OperationFault) {
    super(messageOfFault(fault));
    this.fault = fault;
    this.code = fault.code;
    this.retryable = RETRYABLE.has(fault.code);
    this.hint = "hint" in fault ? fault.hint : HINTS[fault.code];
  }
}

/** Returns the error for programs: `{ code, message, hint, retryable, …fields }`. */
export function faultJson(error: OperationError): Readonly<Record<string, unknown>> {
  const { message, hint, retryable } = error;
  return { ...error.fault, message, hint, retryable };
}

function messageOfFault(fault: OperationFault): string {
  switch (fault.code) {
    case "not_found":
      return `there is no ${fault.what}`;
    case "already_exists":
      return `${fault.what} exists already`;
    case "invalid_argument":
      return `${fault.argument}: expected ${fault.expected}`;
    case "invalid_state":
      return fault.why ?? `${fault.agent} is ${fault.state} and takes no ${fault.operation}`;
    case "not_interactive":
      return `${fault.agent} is ${fault.state}: ${fault.operation} would not be heard`;
    case "dead_agent":
      return `${fault.agent} is ${fault.state}: there is nothing left to ${fault.operation}`;
    case "transport_unavailable":
      return `it could not be reached: ${fault.detail}`;
    case "wait_timeout":
      return `the time is over; wanted ${fault.target.join(" or ")}, last seen ${fault.last}`;
    case "wait_cancelled":
      return `the wait was cancelled; last seen ${fault.last}`;
    case "capability_mismatch":
      return `the runtime ${fault.runtime} cannot do this: ${fault.requested}`;
    case "not_proposed":
    case "not_steered":
      return fault.why;
    case "held":
      return `${fault.agent} is held: ${holdText(fault.holds)}`;
    case "policy_denied":
      return `the policy ${fault.rule} says no: ${fault.reason}`;
    case "permission_denied":
      return `this needs ${fault.needed}`;
    case "budget_exceeded":
      return `the limit ${fault.breaker} is reached`;
    case "rate_limited":
      return `limited until ${new Date(fault.reset_at).toISOString()}`;
    case "tool_not_allowed":
      return `the role may not call ${fault.tool}`;
    case "turn_limit_exceeded":
      return `all ${fault.turns} turns are used`;
    case "agent_already_running":
      return `${fault.agent} already works on it`;
    case "id_reused":
      return `the id ${fault.id} was used for another request`;
    case "task_not_found":
      return `issue #${fault.issue} has no task`;
    case "stale_snapshot":
      return `the ${fault.machine} was changed meanwhile`;
    case "internal":
      return fault.detail;
  }
}

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
