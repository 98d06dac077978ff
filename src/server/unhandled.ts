import type { Log } from "../domain/ports/log.ts";

/**
 * What nobody handled, a rejection too, is logged like all else, without secrets, and ends the process: nobody knows
 * what it left half done, and a start takes up everything that had begun.
 */
export function endByWhatIsUnhandled(log: Log): void {
  process.once("uncaughtException", (error) => {
    log.error(
      { error, next: "start it again, it continues where it was; tell the project of this error" },
      "an error that nobody handles ends the process",
    );
    process.exit(1);
  });
}
