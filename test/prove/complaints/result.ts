import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { VERDICTS } from "./verdict.ts";

const fact = z.tuple([z.string(), z.boolean()]);

const judged = z.strictObject({
  number: z.int(),
  verdict: z.enum(VERDICTS),
  /** What was looked at, and whether it was so. */
  facts: z.array(fact),
});
/** What a run has found about one complaint. */
export type Judged = z.infer<typeof judged>;

const resultSchema = z.object({ machine: z.string(), judged: z.array(judged) });
/** What the last runs have found, and where and when the last of them was. */
export type Result = z.infer<typeof resultSchema>;

const RECORD = join(import.meta.dirname, "last-result.json");

/** Reads the last recorded result; empty if there is none. */
export function readResult(path = RECORD): Result {
  if (!existsSync(path)) return { machine: "", judged: [] };
  return resultSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** Records a result. What it does not have stays as it was. */
export function writeResult(result: Result, path = RECORD): Result {
  const fresh = new Map(result.judged.map((one) => [one.number, one]));
  const before = readResult(path).judged.filter(({ number }) => !fresh.has(number));
  const all = [...before, ...result.judged].toSorted((one, other) => one.number - other.number);
  const merged = { ...result, judged: all };
  writeFileSync(path, `${JSON.stringify(merged, null, 1)}\n`);
  return merged;
}
