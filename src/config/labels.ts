import { readFileSync } from "node:fs";
import { z } from "zod";
import { StartupRefused } from "../core/errors.ts";
import { schemaFaults } from "./schema-faults.ts";
import { writtenSchema } from "./written-schema.ts";
import { readYaml } from "./yaml-text.ts";

const labelsSchema = z.array(
  z.strictObject({
    name: z.string().min(1).max(50),
    color: z.string().regex(/^[0-9a-f]{6}$/, { error: "write six hexadecimal digits in quotes, without #" }),
    description: z.string().max(100),
  }),
);

/** A label as GitHub's API takes it: `color` is six hexadecimal digits without `#`. */
export type Label = Readonly<z.output<typeof labelsSchema>[number]>;

const FILE = "config/labels.yaml";

/** The labels of the shipped `config/labels.yaml`, or of the text given. Throws `StartupRefused` for a faulty one. */
export function readLabels(text = readFileSync(new URL(`../../${FILE}`, import.meta.url), "utf8")): Label[] {
  const { document, faults } = readYaml(text, FILE);
  if (faults.length > 0) throw new StartupRefused(faults);
  const parsed = labelsSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new StartupRefused(
    schemaFaults(parsed.error, { file: FILE, document, schema: writtenSchema(labelsSchema) }),
  );
}
