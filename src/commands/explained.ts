import { messageOf, OutsideError, StartupRefused } from "../core/errors.ts";

/** An error for the person at the terminal: what is wrong, and what to do next. */
export function explained(error: unknown): string {
  if (error instanceof StartupRefused)
    return ["Flotilla does not start:", ...error.faults.map((fault) => `  - ${fault}`)].join("\n");
  if (error instanceof OutsideError)
    return error.advice === undefined ? error.message : `${error.message}\n${error.advice}`;
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}\nAnother program listens there: stop it, or set PORT.`;
  return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
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
