import { styleText } from "node:util";
import { printableLine } from "../domain/messages/printable.ts";

/** Highlights the beginning of a line, of this many characters, on a terminal. */
interface Emphasis {
  readonly style: "bold" | "yellow";
  readonly length: number;
}

/** Prints one line. Escapes line breaks and control characters, so that no value can begin a new line. */
export type Print = (line: string, emphasis?: Emphasis) => void;

/**
 * Returns the printer of every command. `write` gets single lines without control characters, except our own
 * colours.
 */
export function printerTo(write: (line: string) => void): Print {
  return (line, emphasis) => {
    const at = emphasis?.length ?? 0;
    const start = printableLine(line.slice(0, at));
    write(
      (emphasis === undefined ? start : styleText(emphasis.style, start)) + printableLine(line.slice(at)),
    );
  };
}

/** Prints a text of several lines. Foreign values in the text must be lines of their own. */
export function printText(print: Print, text: string): void {
  for (const line of text.split("\n")) print(line);
}
