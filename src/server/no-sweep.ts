import { OperationError } from "../domain/commands/operation-fault.ts";

/** Why a machine without the controller's work looks for no lost deliveries. */
export function noSweep(): OperationError {
  return new OperationError({
    code: "transport_unavailable",
    detail: "this machine has not the role controller: run the command on one that has it",
  });
}
