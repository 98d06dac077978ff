import { OutsideError } from "./errors.ts";

/** Returns class, message and cause of anything thrown, and the error's advice, if any; not redacted. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause =
    error.cause instanceof Error && !(error instanceof OutsideError) ? ` (${error.cause.message})` : "";
  const advice = error instanceof OutsideError && error.advice !== undefined ? ` ${error.advice}` : "";
  return `${error.name}: ${error.message}${cause}${advice}`;
}
