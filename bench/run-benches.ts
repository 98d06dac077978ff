import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { withParts } from "../test/docs/parts.ts";
import type { Bench } from "./bench.ts";
import { machine } from "./machine.ts";
import { asMarkdown, asText, type Part } from "./table.ts";

/** The benches to run, and where to print. */
interface Given {
  readonly benches: readonly Bench[];
  /** The page whose table `--write` updates. */
  readonly page: string;
  readonly print: (text: string) => void;
  readonly note: (text: string) => void;
}

/**
 * Runs benches with `[--only name]… [--small] [--json | --markdown] [--write]` and prints each figure with its
 * reference. Returns the exit code: 2 for arguments that do not go together, after printing what to do.
 */
export async function runBenches(args: readonly string[], given: Given): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", multiple: true },
      small: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const { benches, page, print, note } = given;
  const unknown = values.only?.filter((name) => !benches.some((bench) => bench.name === name)) ?? [];
  if (unknown.length > 0) {
    const known = benches.map((bench) => `  ${bench.name.padEnd(10)}${bench.about}`);
    note([`there is no bench ${unknown.join(", ")}; there are`, ...known].join("\n"));
    return 2;
  }
  if (values.write && (values.small || values.only !== undefined)) {
    note(`--write renews the whole table of ${page}: leave out --only and --small`);
    return 2;
  }
  // Before the first bench causes load itself.
  const here = machine(new Date());
  const parts: Part[] = [];
  for (const bench of benches.filter(({ name }) => values.only?.includes(name) ?? true)) {
    note(`${bench.name}: ${bench.about} …`);
    parts.push({ bench, rows: await bench.run(values.small ? "small" : "full") });
  }
  if (values.json) print(JSON.stringify({ machine: here, parts }, null, 2));
  else if (values.markdown) print(asMarkdown(parts, here));
  else print(`${here}\nMedians of several rounds, with the least and the most.\n\n${asText(parts)}`);
  if (values.write)
    writeFileSync(page, withParts(readFileSync(page, "utf8"), { figures: asMarkdown(parts, here) }));
  return 0;
}
