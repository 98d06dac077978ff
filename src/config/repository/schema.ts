import { configSchema } from "../../domain/settings/config-schema.ts";
import { repositoryFileSchema } from "../../domain/settings/repository-schema.ts";
import { keysOf, type WrittenSchema, writtenSchema } from "../written-schema.ts";

/** The written form of a repository's file, for faults. */
export const repositoryFileWritten: WrittenSchema = writtenSchema(repositoryFileSchema);

/** Paths of keys that only the configuration file has. */
export const OPERATORS_ONLY = operatorsOnly(writtenSchema(configSchema), repositoryFileWritten);

function operatorsOnly(
  configuration: WrittenSchema,
  repositorys: WrittenSchema,
): readonly (readonly string[])[] {
  const there = new Map(keysOf(repositorys));
  const keys = keysOf(configuration);
  const below = keys.flatMap(([key, schema]) => {
    const theirs = there.get(key);
    return theirs === undefined ? [] : operatorsOnly(schema, theirs).map((path) => [key, ...path]);
  });
  return [...keys.filter(([key]) => !there.has(key)).map(([key]) => [key]), ...below];
}
