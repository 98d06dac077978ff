import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { lifecycleDiagrams, withDiagrams } from "./lifecycle-diagrams.ts";

export const diagram: Command = {
  name: "diagram",
  summary: "print the lifecycles as Mermaid diagrams",
  usage: "flotilla diagram [--write docs/lifecycles.md]",
  details: [
    "Goal, Sprint, Task, Review lease, Agent, Run and Session, made from the tables that the program runs on.",
    "With --write the part of that file between its two marks is renewed; the rest stays as it is.",
  ],
  options: { write: { type: "string" } },
  async run({ options, cwd, print }) {
    const { write } = options;
    if (typeof write === "string") {
      const path = resolve(cwd, write);
      await writeFile(path, withDiagrams(await readFile(path, "utf8")));
    } else print(lifecycleDiagrams());
    return 0;
  },
};
