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
 * reference. Returns the exit code: 2 for arguments that are wrong or do not go together, after printing what to do.
 */
export async function runBenches(args: readonly string[], given: Given): Promise<number> {
  const { benches, page, print, note } = given;
  const values = valuesOf(args);
  if (typeof values === "string") {
    note(`${values} See npm run bench -- --help.`);
    return 2;
  }
  if (values.help) {
    print(usage(given));
    return 0;
  }
  const unknown = values.only?.filter((name) => !benches.some((bench) => bench.name === name)) ?? [];
  if (unknown.length > 0) {
    note([`there is no bench ${unknown.join(", ")}; there are`, ...lines(benches)].join("\n"));
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

/** Returns the values of the options, or what is wrong with them. */
function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true },
        small: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        markdown: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")))
      throw error;
    // Only the first sentence says what is wrong.
    return `${/^.*?(?=\.(?:\s|$))/.exec(error.message)?.[0] ?? error.message}.`;
  }
}

function usage({ benches, page }: Given): string {
  return `Usage: npm run bench -- [options]

Measures Flotilla, and prints each figure beside what the same costs without it.

  --only <name>  run only this bench; name several by several --only
  --small        run each in miniature, only to see that it runs
  --json         print JSON
  --markdown     print a table in Markdown
  --write        renew the table of ${page}
  --help         print this

Benches, in the order in which they run:
${lines(benches).join("\n")}`;
}

function lines(benches: readonly Bench[]): readonly string[] {
  return benches.map(({ name, about }) => `  ${name.padEnd(10)}${about}`);
}
