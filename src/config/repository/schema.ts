import { z } from "zod";
import { configSchema } from "../schema.ts";
import { limitOverridesSchema } from "../sections/circuit-breakers.ts";
import { roleNameSchema, roleSchema } from "../sections/roles.ts";
import { keysOf, writtenSchema } from "../written-schema.ts";

const { evidence, review, merge, branches, circuit_breakers } = configSchema.shape;
const { repository_per_day, storm, progress } = circuit_breakers.unwrap().shape;

/**
 * `.github/flotilla.yml`, of the same pieces as the configuration file. Which of its keys count is said by what stands
 * in the document: the defaults in here are the configuration's, and mean nothing.
 */
export const repositoryFileSchema = z.strictObject({
  roles: z
    .record(
      roleNameSchema,
      roleSchema.extend({
        prompt: z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\.md$/, {
            error: "write the name of a .md file in .github/flotilla/roles",
          })
          .optional(),
      }),
    )
    .prefault({}),
  branches,
  evidence,
  review,
  merge,
  circuit_breakers: z
    .strictObject({
      defaults: limitOverridesSchema.prefault({}),
      roles: z.record(z.string(), limitOverridesSchema).prefault({}),
      repository_per_day,
      storm,
      progress,
    })
    .prefault({}),
});

/** A parsed file of a repository. */
export type RepositoryFile = z.output<typeof repositoryFileSchema>;

/** As people write it, for faults. */
export const repositoryFileWritten = writtenSchema(repositoryFileSchema);

const ofConfiguration = writtenSchema(configSchema);
const names = (schema: typeof ofConfiguration | undefined) => keysOf(schema).map(([key]) => key);
const breakers = (schema: typeof ofConfiguration) => new Map(keysOf(schema)).get("circuit_breakers");

/** Keys of the configuration file that a repository's file does not have, as paths. */
export const OPERATORS_ONLY: readonly (readonly string[])[] = [
  ...missing(names(ofConfiguration), names(repositoryFileWritten)).map((key) => [key]),
  ...missing(names(breakers(ofConfiguration)), names(breakers(repositoryFileWritten))).map((key) => [
    "circuit_breakers",
    key,
  ]),
];

function missing(all: readonly string[], here: readonly string[]): readonly string[] {
  return all.filter((key) => !here.includes(key));
}
