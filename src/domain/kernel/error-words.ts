import { OutsideError } from "./errors.ts";

/** Class, message and cause of anything thrown, and what to do where the error says so; not yet cleaned. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause =
    error.cause instanceof Error && !(error instanceof OutsideError) ? ` (${error.cause.message})` : "";
  const advice = error instanceof OutsideError && error.advice !== undefined ? ` ${error.advice}` : "";
  return `${error.name}: ${error.message}${cause}${advice}`;
}
