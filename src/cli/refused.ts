import { nearest } from "../config/nearest.ts";
import { faultJson, OperationError, type OperationFault } from "../domain/commands/operation-fault.ts";
import type { CommandContext } from "./command.ts";

/**
 * Prints why nothing was done and, in `hint`, what to do next, on standard error; with --json on standard
 * output as `{ error: { code, message, hint, retryable } }`. Returns the exit code.
 */
export function refused(
  { options, print, complain }: Pick<CommandContext, "options" | "print" | "complain">,
  message: string,
  hint?: string,
  code = "invalid_argument",
): 1 {
  if (options["json"] === true)
    print(
      JSON.stringify({
        error: {
          code,
          message,
          hint: hint ?? "Run `flotilla <command> --help` for its options.",
          retryable: false,
        },
      }),
    );
  else {
    complain(message);
    if (hint !== undefined) complain(hint);
  }
  return 1;
}

/** Refuses a first argument that the command does not know. */
export function unknownVerb(
  context: Pick<CommandContext, "options" | "print" | "complain">,
  command: string,
  verb: string,
  known: readonly string[],
): 1 {
  const near = nearest(verb, known);
  const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
  return refused(
    context,
    `There is no verb "${verb}".${meant}`,
    `Run \`flotilla ${command} ${known.join(" | ")}\`.`,
  );
}

/** Refuses an operation in the words of a serving process. */
export function refusedBy(
  { options, print, complain }: Pick<CommandContext, "options" | "print" | "complain">,
  fault: OperationFault,
): 1 {
  const error = new OperationError(fault);
  if (options["json"] === true) print(JSON.stringify({ error: faultJson(error) }));
  else {
    complain(`${error.message} (${error.code})`);
    complain(error.hint);
  }
  return 1;
}
