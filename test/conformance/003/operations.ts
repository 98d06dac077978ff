import type { OperationCode } from "../../../src/domain/commands/operation-fault.ts";
import type { Operation } from "../../../src/domain/commands/operations.ts";
import { STATES_003, type State003 } from "./states.ts";

const without = (...states: readonly State003[]) => STATES_003.filter((state) => !states.includes(state));

/** The states in which the document allows each operation, by our name for it. */
export const ALLOWED_IN: Readonly<Record<Operation, readonly State003[]>> = {
  send: ["running", "idle", "waiting_approval", "paused"],
  interrupt: ["running", "waiting_approval", "paused"],
  kill: without("unspecified", "stopped", "failed"),
  revive: ["stopped", "failed"],
};

/** Its kinds of errors, when it means each, and our code for it. */
export const ERRORS: readonly {
  readonly theirs: string;
  readonly ours: OperationCode;
  readonly retryable: boolean;
}[] = [
  { theirs: "not_found", ours: "not_found", retryable: false },
  { theirs: "not_interactive", ours: "not_interactive", retryable: false },
  { theirs: "dead_agent", ours: "dead_agent", retryable: false },
  { theirs: "transport_unavailable", ours: "transport_unavailable", retryable: true },
  { theirs: "timeout_waiting_idle", ours: "wait_timeout", retryable: true },
  { theirs: "policy_denied", ours: "capability_mismatch", retryable: false },
];
