import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "../command.ts";
import { printText } from "../printer.ts";
import { lifecycleDiagrams, MACHINES, withDiagrams } from "./lifecycle-diagrams.ts";

export const diagram: Command = {
  name: "diagram",
  summary: "print the lifecycles as Mermaid diagrams",
  usage: "flotilla diagram [--write docs/lifecycles.md]",
  details: [
    "Prints Goal, Sprint, Task, Review lease, Agent, Run and Session, generated from the tables that the program uses.",
  ],
  options: {
    write: {
      type: "string",
      value: "file",
      says: "update this file between its two markers instead of printing",
    },
  },
  examples: ["flotilla diagram", "flotilla diagram --write docs/lifecycles.md"],
  async run({ options, cwd, print }) {
    const json = options["json"] === true;
    const { write } = options;
    if (typeof write === "string") {
      const path = resolve(cwd, write);
      await writeFile(path, withDiagrams(await readFile(path, "utf8")));
      if (json) print(JSON.stringify({ written: path }));
    } else if (json) print(JSON.stringify({ diagrams: MACHINES }));
    else printText(print, lifecycleDiagrams());
    return 0;
  },
};
