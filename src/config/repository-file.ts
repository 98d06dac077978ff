import { redactor } from "../domain/access/redact.ts";
import type { Role } from "../domain/agents/role.ts";
import { providerKeyFaults } from "../domain/settings/environment-variables.ts";
import { permissionFaults, refusedHostNotices } from "../domain/settings/permitted-setup.ts";
import { REPOSITORY_FILE_BYTES, type RepositoryFileRead } from "../domain/settings/repository-file.ts";
import { REPOSITORY_FILE } from "../domain/settings/repository-file-path.ts";
import type { RepositoryOverride } from "../domain/settings/repository-override.ts";
import { type RepositoryFile, repositoryFileSchema } from "../domain/settings/repository-schema.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { settingsFor } from "../domain/settings/settings-for.ts";
import { directionFaults } from "./repository/direction-faults.ts";
import { type RoleTexts, roleOverrides } from "./repository/roles.ts";
import { OPERATORS_ONLY, repositoryFileWritten } from "./repository/schema.ts";
import { roleRuleFaults, unknownRoleFaults } from "./role-rules.ts";
import { schemaFaults } from "./schema-faults.ts";
import { isMapping, printPath, valueAt } from "./written-schema.ts";
import { readForeignYaml } from "./yaml-text.ts";

/**
 * Reads and checks `.github/flotilla.yml` against the operator's settings: every key that is looser than
 * allowed is a fault, and all faults are returned at once. `texts` are the repository's role files by name.
 * Never throws.
 */
export function readRepositoryFile(
  text: string,
  settings: Settings,
  texts: RoleTexts = new Map(),
): RepositoryFileRead {
  const file = REPOSITORY_FILE;
  const long = [[file, text] as const, ...texts].filter(
    ([, one]) => Buffer.byteLength(one) > REPOSITORY_FILE_BYTES,
  );
  if (long.length > 0)
    return refused(
      long.map(([name]) => `${name}: is longer than ${REPOSITORY_FILE_BYTES} bytes; make it shorter.`),
    );
  const yaml = readForeignYaml(text, file);
  if (yaml.faults.length > 0) return refused(yaml.faults);
  const { document, faults: foreign } = withoutOperators(yaml.document);
  const { parsed, rest, faults: shape } = parsedOf(document);
  const faults = [...foreign, ...shape];
  if (parsed === undefined) return refused(faults);

  const roles = roleOverrides(parsed.roles, { file, document: valueAt(rest, ["roles"]), settings, texts });
  const override: RepositoryOverride = { ...parsed, roles: roles.roles };
  const merged = settingsFor(settings, override);
  const known = { ...Object.fromEntries(merged.roles), ...parsed.roles };
  faults.push(
    ...roles.faults,
    ...directionFaults(parsed, rest, settings).map((fault) => `${file}: ${fault}`),
    ...permissionFaults(settings.setup, parsed).map((fault) => `${file}: ${fault}`),
    ...secretFaults(rest, []),
    ...providerKeyFaults(merged, settings).map((fault) => `${file}: ${fault}`),
    ...roleRuleFaults({ roles: writtenAgain(merged.roles, override) }, undefined, file),
    ...unknownRoleFaults(known, rest).map((fault) => `${file}: ${fault}`),
  );
  const hosts = refusedHostNotices(settings.setup, parsed.setup ?? {}).map((notice) => `${file}: ${notice}`);
  const notices = [...roles.notices, ...hosts];
  return faults.length > 0 ? refused(faults) : { override, faults, notices };
}

/** Without the secrets of this host, which no repository knows. */
const withoutSecrets = redactor([]);

/**
 * Returns a fault for each text that looks like a secret. The database would keep something else in its place, and after
 * a restart that would be in force.
 */
function secretFaults(written: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (Array.isArray(written)) return written.flatMap((one, at) => secretFaults(one, [...path, at]));
  if (isMapping(written))
    return Object.entries(written).flatMap(([key, one]) => secretFaults(one, [...path, key]));
  if (typeof written !== "string" || withoutSecrets(written) === written) return [];
  return [
    `${REPOSITORY_FILE}: ${printPath(path)}: looks like a secret (a token, a key, a password in an address), which Flotilla does not store; take it out.`,
  ];
}

function refused(faults: readonly string[]): RepositoryFileRead {
  return { override: undefined, faults, notices: [] };
}

/** Removes the keys that only the operator sets; each is a fault. */
function withoutOperators(document: unknown): { readonly document: unknown; readonly faults: string[] } {
  const rest: unknown = structuredClone(document);
  const faults = OPERATORS_ONLY.flatMap((path) => {
    if (valueAt(rest, path) === undefined) return [];
    remove(rest, path);
    return [
      `${REPOSITORY_FILE}: ${printPath(path)}: only the operator sets it, for all repositories; take it out.`,
    ];
  });
  return { document: rest, faults };
}

/** Parses the document. Removes a faulty part, so that faults of the others are reported at the same time. */
function parsedOf(document: unknown): {
  readonly parsed: RepositoryFile | undefined;
  readonly rest: unknown;
  readonly faults: readonly string[];
} {
  const whole = repositoryFileSchema.safeParse(document);
  if (whole.success) return { parsed: whole.data, rest: document, faults: [] };
  const faults = schemaFaults(whole.error, {
    file: REPOSITORY_FILE,
    document,
    schema: repositoryFileWritten,
  });
  const rest: unknown = structuredClone(document);
  for (const issue of whole.error.issues)
    if (issue.code === "unrecognized_keys") for (const key of issue.keys) remove(rest, [...issue.path, key]);
    else remove(rest, issue.path[0] === "circuit_breakers" ? issue.path : issue.path.slice(0, 2));
  return { parsed: repositoryFileSchema.safeParse(rest).data, rest, faults };
}

function remove(document: unknown, path: readonly PropertyKey[]): void {
  const holder = valueAt(document, path.slice(0, -1));
  const last = path.at(-1);
  // A fault in an entry takes the whole list: the other entries would move up.
  if (Array.isArray(holder) && path.length > 1) remove(document, path.slice(0, -1));
  else if (isMapping(holder) && last !== undefined) delete holder[String(last)];
}

/**
 * Returns the resulting roles in the form that the role rules read. A role that is switched off needs no
 * trigger.
 */
function writtenAgain(roles: ReadonlyMap<string, Role>, { roles: overrides }: RepositoryOverride) {
  const there = [...roles.values()].filter(
    ({ name, triggers }) => triggers.length > 0 || overrides[name]?.kind !== undefined,
  );
  return Object.fromEntries(
    there.map(({ name, lifecycle, evidence, checkout, singleton, planFirst, triggers }) => [
      name,
      {
        prompt: "",
        lifecycle,
        evidence,
        checkout,
        singleton,
        plan_first: planFirst,
        triggers: triggers.map(({ event, label }) => ({ event, label })),
      },
    ]),
  );
}
