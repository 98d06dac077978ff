import { z } from "zod";
import { circuitBreakers } from "../breakers/circuit-breakers.ts";
import { agentLimits } from "../breakers/limits.ts";
import { configKeys } from "./config-schema.ts";
import { type Keys, sparse } from "./keys.ts";
import type { RepositoryOverride } from "./repository-override.ts";
import { roleNameSchema, roleSchema } from "./role-schema.ts";

/** A section of which a repository's file sets some keys, all of them without keys below. */
interface RepositorySection {
  /** Its name in the settings. */
  readonly name: string;
  /** Its name in the file. */
  readonly key: string;
  /** The keys that the file sets. */
  readonly keys: Keys;
}

/** Returns those of the keys that a repository's file may set. */
function repositoryKeys(keys: Keys): Keys {
  return Object.fromEntries(
    Object.entries(keys).filter(([, entry]) => !("keys" in entry) && entry.repository !== undefined),
  );
}

function sectionsAmong(keys: Keys): readonly RepositorySection[] {
  return Object.entries(keys)
    .map(([name, entry]) => ({
      name,
      key: entry.key,
      keys: "keys" in entry ? repositoryKeys(entry.keys) : {},
    }))
    .filter((section) => Object.keys(section.keys).length > 0);
}

/**
 * Keys at the top of the file, its sections, and the sections of its `circuit_breakers` except the limits of agents.
 */
export const TOP_KEYS = repositoryKeys(configKeys);
export const TOP_SECTIONS = sectionsAmong(configKeys);
const { defaults: _, ...breakers } = circuitBreakers.keys;
export const BREAKER_SECTIONS = sectionsAmong(breakers);

const sectionSchemas = (sections: readonly RepositorySection[]): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(sections.map(({ key, keys }) => [key, sparse(keys).prefault({})]));

/** Returns the sections under their names in the settings. */
const named = (sections: readonly RepositorySection[], values: object) =>
  Object.fromEntries(sections.map(({ name, key }) => [name, Reflect.get(values, key)]));

const rolesSchema = z
  .record(
    roleNameSchema,
    roleSchema.extend({
      prompt: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\.md$/, {
          error: "write the name of a .md file in .github/flotilla/roles",
        })
        .describe("Role file in `.github/flotilla/roles`; left out for a role that the operator has.")
        .optional(),
    }),
  )
  .prefault({});

/** A parsed file of a repository, with its roles as written. */
export type RepositoryFile = Omit<RepositoryOverride, "roles"> & {
  readonly roles: z.output<typeof rolesSchema>;
};

/** `.github/flotilla.yml`: the keys of the configuration that a repository sets, without their defaults. */
export const repositoryFileSchema = z
  .strictObject({
    roles: rolesSchema,
    ...Object.fromEntries(Object.values(TOP_KEYS).map(({ key, type }) => [key, type.optional()])),
    ...sectionSchemas(TOP_SECTIONS),
    circuit_breakers: z
      .strictObject({
        defaults: sparse(agentLimits).prefault({}),
        roles: z.record(z.string(), sparse(agentLimits)).prefault({}),
        ...sectionSchemas(BREAKER_SECTIONS),
      })
      .prefault({}),
  })
  .transform(({ roles, circuit_breakers: { defaults, roles: limited, ...guards }, ...rest }) => ({
    ...Object.fromEntries(Object.entries(TOP_KEYS).map(([name, { key }]) => [name, Reflect.get(rest, key)])),
    ...named(TOP_SECTIONS, rest),
    ...named(BREAKER_SECTIONS, guards),
    roles,
    limits: { defaults, roles: limited },
  }))
  .pipe(z.custom<RepositoryFile>());
