import { userInfo } from "node:os";
import { z } from "zod";
import { faultJson, faultOfOutside, OperationError } from "../domain/commands/operation-fault.ts";
import { OutsideError } from "../domain/kernel/errors.ts";
import type { CommandContext } from "./command.ts";
import { type ControlAnswer, control } from "./control-client.ts";
import { dataDirectory } from "./data-directory.ts";

const refusal = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

/** Returns the name of the caller in the records of the serving process: `operator:<account>`. */
export function operator(): string {
  return `operator:${userInfo().username}`;
}

/** Sends one request to the serving process and prints its answer. Returns the exit code. */
export async function ask(
  context: CommandContext,
  path: string,
  body: object,
  said: (answer: unknown) => string,
): Promise<number> {
  return printed(context, control(dataDirectory(context), path, body), said);
}

/**
 * Prints an answer: with --json unchanged or as `{ error }`, otherwise as `said`, or a refusal with the next
 * step on standard error. Returns the exit code: 0 done, 1 refused or not found, 2 failed. Without --json,
 * throws when nothing is serving.
 */
export async function printed(
  context: CommandContext,
  asking: Promise<ControlAnswer>,
  said: (answer: unknown) => string,
): Promise<number> {
  const json = context.options["json"] === true;
  const answer = await asking.catch((error: unknown): ControlAnswer => {
    if (!json || !(error instanceof OutsideError)) throw error;
    return { status: 500, body: { error: faultJson(new OperationError(faultOfOutside(error))) } };
  });
  if (json) context.print(JSON.stringify(answer.body));
  else if (answer.status === 200) context.print(said(answer.body));
  else {
    const { error } = refusal.parse(answer.body);
    context.complain(`${error.message} (${error.code})`);
    context.complain(error.hint);
  }
  if (answer.status === 200) return 0;
  return answer.status >= 500 ? 2 : 1;
}
