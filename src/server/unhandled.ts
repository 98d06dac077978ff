import type { Log } from "../domain/ports/log.ts";

/**
 * Ends the process on unhandled errors and rejections, after logging them without secrets: its state may be
 * inconsistent, and a start resumes everything that had begun.
 */
export function endByWhatIsUnhandled(log: Log): void {
  process.once("uncaughtException", (error) => {
    log.error(
      { error, next: "start it again, it continues where it was; tell the project of this error" },
      "process ended: unhandled error",
    );
    process.exit(1);
  });
}
