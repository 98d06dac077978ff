import { messageOf, OutsideError, StartupRefused } from "../core/errors.ts";

/**
 * Explains an error to the person at the terminal: what is wrong, and what to do next. Line breaks are ours alone, since
 * a message may quote a stranger.
 */
export function explained(error: unknown): string {
  const what = flat(messageOf(error));
  if (error instanceof StartupRefused)
    return ["Flotilla does not start:", ...error.faults.map((fault) => `  - ${flat(fault)}`)].join("\n");
  if (error instanceof OutsideError)
    return error.advice === undefined ? what : `${what}\n${flat(error.advice)}`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `${what}\nAnother program listens there: stop it, or set PORT.`;
  return error instanceof Error ? [`${error.name}: ${what}`, ...callsOf(error)].join("\n") : what;
}

/** The calls of its stack, which the message stands before. */
function callsOf({ stack = "", message }: Error): readonly string[] {
  const end = stack.indexOf(message) + message.length;
  return stack
    .slice(end)
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
}

function flat(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/** The same for a program; of a refused start each fault by itself. */
export function errorJson(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof StartupRefused)
    return {
      code: "startup_refused",
      message: "Flotilla does not start",
      hint: STARTUP_HINT,
      faults: error.faults,
      retryable: false,
    };
  if (error instanceof OutsideError) {
    const { code, message, advice, consequence } = error;
    const retryable = consequence === "retry" || consequence === "park";
    return { code, message, hint: advice ?? message, retryable };
  }
  const [message = "", ...rest] = explained(error).split("\n");
  return { code: "internal", message, hint: rest.join("\n").trim(), retryable: false };
}

const STARTUP_HINT = "each fault says what to put right; `flotilla doctor` looks again";
