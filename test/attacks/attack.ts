import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const FOLDER = join(import.meta.dirname, "../fixtures/attacks");

/** Where a text reaches the agent from; `stranger` ones are of somebody with read permission. */
const plant = z.strictObject({
  where: z.enum(["title", "body", "hidden", "stranger_comment", "file", "commit", "stranger_pull", "ci_log"]),
  text: z.string().min(1),
});

/**
 * A published attack as data. `does` is what an agent does that obeys it, call by call, whether or not the planted text
 * ever reaches it; `{{read}}` in it stands for what its tools have shown it so far, `{{read:hex}}` and so on for the same
 * in one of the encodings, and a word such as `{{home}}` for a place of the stage.
 */
const attackSchema = z.strictObject({
  name: z.string().regex(/^[a-z-]+$/),
  what: z.string(),
  fast: z.boolean().default(false),
  plant: z.array(plant).min(1),
  does: z
    .array(z.strictObject({ tool: z.string(), args: z.record(z.string(), z.unknown()).default({}) }))
    .min(1),
});

export type Attack = z.infer<typeof attackSchema>;

/** All of them, in order of their names. */
export function readAttacks(): readonly Attack[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => attackSchema.parse(parse(readFileSync(join(FOLDER, file), "utf8"))));
}

/** The attack with the stage's places filled in; a place that there is not is an error of the data. */
export function staged(attack: Attack, places: Readonly<Record<string, string>>): Attack {
  const filled = JSON.stringify(attack).replaceAll(/\{\{([a-z]+)\}\}/g, (whole, name: string) => {
    if (name === "cwd" || name === "read") return whole;
    const place = places[name];
    if (place === undefined) throw new Error(`${attack.name} names a place that there is not: ${whole}`);
    return JSON.stringify(place).slice(1, -1);
  });
  return attackSchema.parse(JSON.parse(filled));
}
