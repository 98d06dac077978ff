import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { lifecycleDiagrams, MACHINES, withDiagrams } from "./lifecycle-diagrams.ts";
import { printText } from "./printer.ts";

export const diagram: Command = {
  name: "diagram",
  summary: "print the lifecycles as Mermaid diagrams",
  usage: "flotilla diagram [--write docs/lifecycles.md]",
  details: [
    "Goal, Sprint, Task, Review lease, Agent, Run and Session, made from the tables that the program runs on.",
  ],
  options: {
    write: { type: "string", value: "file", says: "renew this file between its two marks instead" },
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
