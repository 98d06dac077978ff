import type { Writable } from "node:stream";
import { messageOf } from "../domain/kernel/errors.ts";

/** Where commands print: standard output and standard error of this process. */
export interface StandardStreams {
  /** A line on standard output. */
  readonly print: (line: string) => void;
  /** Lines on standard error. */
  readonly complain: (text: string) => void;
  /** Resolves once all that was printed has left the process; false when its reader has gone. */
  readonly drained: () => Promise<boolean>;
  /** Waits for both streams. Returns the exit code: `code`, or 2 when not all of it could be written. */
  readonly end: (code: number) => Promise<number>;
}

/** A reader that has seen enough (`| head`) or a terminal that was closed: nothing went wrong. */
const READER_GONE: ReadonlySet<unknown> = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/** Writes to a pipe wait in this process until its reader takes them, so it must not exit before `end` has resolved. */
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
  // Nothing is left to complain to.
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

/** The callback of a write comes after those of all writes before it, also when they fail. */
function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // The error of a write is emitted just after its callback.
    const done = (): void => void setImmediate(resolve);
    if (stream.destroyed || stream.writableLength === 0) done();
    else stream.write("", done);
  });
}
