import { printableLine } from "../domain/messages/printable.ts";

/** Shows a waiting person the progress of some work. */
export interface Progress {
  /** Replaces the line that is shown; adds a bar if `of` is known. */
  readonly show: (what: string, done?: number, of?: number) => void;
}

/** The part of a terminal that is used. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR = 20;
const CLEARED = "\r\u001b[K";

/**
 * Runs long work while one line of a terminal shows its progress, and removes that line afterwards, also
 * after an error. Writes nothing if `screen` (standard error by default) is no terminal.
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
