import { messageOf, OutsideError, StartupRefused } from "../core/errors.ts";

/** An error for the person at the terminal: what is wrong, and what to do next. */
export function explained(error: unknown): string {
  if (error instanceof StartupRefused)
    return ["Flotilla does not start:", ...error.faults.map((fault) => `  - ${fault}`)].join("\n");
  if (error instanceof OutsideError)
    return error.advice === undefined ? error.message : `${error.message}\n${error.advice}`;
  if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"))
    return `${error.message}\nSay \`flotilla help\` for the commands.`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}\nAnother program listens there: stop it, or set PORT.`;
  return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
}
