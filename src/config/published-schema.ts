import { z } from "zod";
import { configSchema } from "../domain/settings/config-schema.ts";
import { repositoryFileSchema } from "../domain/settings/repository-schema.ts";

/** The schemas that editors read, by the name of their file in `docs/schema`. */
const PUBLISHED = {
  "config.json": { schema: configSchema, title: "Flotilla's configuration, config.yaml" },
  "repository-file.json": {
    schema: repositoryFileSchema,
    title: "Flotilla's configuration of a repository, .github/flotilla.yml",
  },
} as const;

export type PublishedName = keyof typeof PUBLISHED;

export const PUBLISHED_NAMES: readonly PublishedName[] = ["config.json", "repository-file.json"];

/**
 * Returns a JSON schema of a configuration file, as text. It refuses nothing that Flotilla accepts. It accepts some of
 * what Flotilla refuses, because JSON Schema cannot compare values, and knows no time zones, patterns and role files.
 */
export function printSchema(name: PublishedName): string {
  const { schema, title } = PUBLISHED[name];
  const written = z.toJSONSchema(schema, {
    io: "input",
    // The newest draft that editors' YAML support understands.
    target: "draft-7",
    override: ({ jsonSchema }) => {
      const { example, ...rest } = jsonSchema;
      if (example === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, rest, { examples: [example] });
    },
  });
  const { $schema, ...rest } = written;
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}

/** Returns the first line of a YAML file, by which editors find its schema. */
export function schemaLine(address: string): string {
  return `# yaml-language-server: $schema=${address}`;
}
