import { printableLine } from "../domain/messages/printable.ts";

/** Tells a waiting person how far something is. */
export interface Progress {
  /** Replaces what is shown; with a bar where it is known how many there are. */
  readonly show: (what: string, done?: number, of?: number) => void;
}

/** What is needed of a terminal. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR = 20;
const CLEARED = "\r\u001b[K";

/**
 * Does long work while one line of a terminal says how far it is; the line is gone when the work has ended, however it
 * ended. Writes nothing where `screen` (standard error by default) is no terminal.
 */
export async function working<T>(
  what: string,
  work: (progress: Progress) => Promise<T>,
  screen: Screen = process.stderr,
): Promise<T> {
  if (screen.isTTY !== true) return work({ show: () => {} });
  const show: Progress["show"] = (now, done, of) => {
    const text =
      of === undefined || done === undefined ? `${now} …` : `${bar(done, of)} ${done}/${of} ${now}`;
    screen.write(CLEARED + printableLine(text).slice(0, (screen.columns ?? 80) - 1));
  };
  show(what);
  try {
    return await work({ show });
  } finally {
    screen.write(CLEARED);
  }
}

function bar(done: number, of: number): string {
  const full = of === 0 ? BAR : Math.round((done / of) * BAR);
  return `[${"#".repeat(full)}${" ".repeat(BAR - full)}]`;
}
