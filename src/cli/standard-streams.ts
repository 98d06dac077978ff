import type { Writable } from "node:stream";
import { messageOf } from "../domain/kernel/errors.ts";

/** Where commands print: standard output and standard error of this process. */
export interface StandardStreams {
  /** Prints a line on standard output. */
  readonly print: (line: string) => void;
  /** Prints lines on standard error. */
  readonly complain: (text: string) => void;
  /** Resolves once everything printed has left the process; false if its reader has gone. */
  readonly drained: () => Promise<boolean>;
  /** Waits for both streams. Returns the exit code: `code`, or 2 if not everything could be written. */
  readonly end: (code: number) => Promise<number>;
}

/** Errors of a reader that ended early (`| head`) or a closed terminal, which are no failures. */
const READER_GONE: ReadonlySet<unknown> = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/**
 * Creates the streams. Writes to a pipe wait in this process until the reader takes them, so the process must
 * not exit before `end` has resolved.
 */
export function standardStreams(out: Writable, error: Writable): StandardStreams {
  let gone = false;
  let failed = false;
  const complain = (text: string): void => void error.write(`${text}\n`);
  out.on("error", (cause: NodeJS.ErrnoException) => {
    if (!gone && !READER_GONE.has(cause.code)) {
      failed = true;
      complain(`The output could not be written (${messageOf(cause)}).`);
    }
    gone = true;
  });
  // There is no stream left to report this error on.
  error.on("error", () => {});
  const drained = async (): Promise<boolean> => {
    await flushed(out);
    return !gone;
  };
  return {
    print: (line) => {
      if (!gone) out.write(`${line}\n`);
    },
    complain,
    drained,
    end: async (code) => {
      await drained();
      await flushed(error);
      return failed ? 2 : code;
    },
  };
}

/**
 * Resolves when the callback of an empty write comes, which follows the callbacks of all earlier writes, also
 * of failed ones.
 */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // The stream emits the error of a write just after the write's callback.
    const done = (): void => void setImmediate(resolve);
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write("", done);
  });
}
