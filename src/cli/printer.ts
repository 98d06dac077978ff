import { styleText } from "node:util";
import { printableLine } from "../domain/messages/printable.ts";

/** What stands out on a terminal: the beginning of a line, of so many characters. */
interface Emphasis {
  readonly style: "bold" | "yellow";
  readonly length: number;
}

/** Writes one line. Line breaks and control characters within it are made printable, so that no value makes a line. */
export type Print = (line: string, emphasis?: Emphasis) => void;

/** Returns what every command prints by: `write` gets single lines that a terminal only shows, but for our own colours. */
export function printerTo(write: (line: string) => void): Print {
  return (line, emphasis) => {
    const at = emphasis?.length ?? 0;
    const start = printableLine(line.slice(0, at));
    write(
      (emphasis === undefined ? start : styleText(emphasis.style, start)) + printableLine(line.slice(at)),
    );
  };
}

/** Prints a text of several lines, which holds no values of others except as lines of their own. */
export function printText(print: Print, text: string): void {
  for (const line of text.split("\n")) print(line);
}
