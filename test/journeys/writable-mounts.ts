import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBubblewrap } from "../../src/adapters/sandbox/find-bubblewrap.ts";

/** bubblewrap's arguments that make a path of the host writable. */
const WRITABLE = new Set(["--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--overlay"]);

/** A wrapper around bubblewrap that records its arguments. */
export interface NotedMounts {
  /** A PATH on which the wrapper is found first. */
  readonly path: string;
  /**
   * Returns the paths of the host that agents and their commands could write so far, without those of our own git's
   * sandbox.
   */
  read(): readonly string[];
}

export function noteMounts(directory: string): NotedMounts {
  const [bin, notes] = [join(directory, "bin"), join(directory, "notes")];
  for (const made of [bin, notes]) mkdirSync(made, { recursive: true });
  const path = process.env["PATH"] ?? "";
  const program = join(bin, "bwrap");
  const note = `printf '%s\\n' "$@" >>'${notes}'/$$`;
  writeFileSync(program, `#!/bin/sh\n${note}\nexec '${String(findBubblewrap(path))}' "$@"\n`);
  chmodSync(program, 0o755);
  return {
    path: `${bin}:${path}`,
    read() {
      const found = new Set<string>();
      for (const name of readdirSync(notes)) {
        let host = "";
        const words = readFileSync(join(notes, name), "utf8").split("\n");
        for (const [at, word] of words.entries()) {
          if (word === "--hostname") host = words[at + 1] ?? "";
          if (WRITABLE.has(word) && host !== "git") found.add(words[at + 1] ?? "");
        }
      }
      return [...found].toSorted();
    },
  };
}
