import { userInfo } from "node:os";
import { z } from "zod";
import { OutsideError } from "../core/errors.ts";
import type { CommandContext } from "./command.ts";
import { control } from "./control-client.ts";
import { dataDirectory } from "./data-directory.ts";

const refusal = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

/** Who asks, as the records of the serving process name it: `operator:<account>`. */
export function operator(): string {
  return `operator:${userInfo().username}`;
}

/**
 * Asks the serving process and prints what came of it: with --json the answer or `{ error }` as it is, else `said`.
 * Returns the exit code: 0 done, 1 refused or not found, 2 failed, also where nothing is serving.
 */
export async function ask(
  context: CommandContext,
  path: string,
  body: object,
  said: (answer: unknown) => string,
): Promise<number> {
  const json = context.options["json"] === true;
  const answer = await control(dataDirectory(context), path, body).catch((error: unknown) => {
    if (!json || !(error instanceof OutsideError)) throw error;
    const { code, message, advice: hint = "" } = error;
    return { status: 500, body: { error: { code, message, hint, retryable: false } } };
  });
  if (json) context.print(JSON.stringify(answer.body));
  if (answer.status === 200) {
    if (!json) context.print(said(answer.body));
    return 0;
  }
  if (!json) {
    const { error } = refusal.parse(answer.body);
    context.print(`${error.message} (${error.code})\n${error.hint}`);
  }
  return answer.status >= 500 ? 2 : 1;
}
