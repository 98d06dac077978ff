import { readFileSync } from "node:fs";
import { z } from "zod";
import { StartupRefused } from "../core/errors.ts";
import { ownFile } from "../core/own-file.ts";
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

/** With the configured label of issues that wait for a person, which is made like the shipped one of that use. */
export function withEscalationLabel(labels: readonly Label[], name: string): readonly Label[] {
  // GitHub takes labels that differ in case alone for one.
  if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) return labels;
  return [
    ...labels,
    { name, color: "fbca04", description: "An agent waits for a person to act on this issue." },
  ];
}

/** The labels of the shipped `config/labels.yaml`, or of the text given. Throws `StartupRefused` for a faulty one. */
export function readLabels(text = readFileSync(ownFile(`../../${FILE}`, import.meta.url), "utf8")): Label[] {
  const { document, faults } = readYaml(text, FILE);
  if (faults.length > 0) throw new StartupRefused(faults);
  const parsed = labelsSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new StartupRefused(
    schemaFaults(parsed.error, { file: FILE, document, schema: writtenSchema(labelsSchema) }),
  );
}
