import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ownFile } from "../core/own-file.ts";
import type { Settings } from "../core/settings.ts";
import { type Collector, readCollector } from "./collector.ts";
import { type Variables, withoutEmpty } from "./environment.ts";
import { mergeFaults } from "./merge-faults.ts";
import { priceFaults } from "./price-faults.ts";
import { type ModelAccess, readModelAccess } from "./provider.ts";
import { roleDirectory } from "./role-directory.ts";
import { roleRuleFaults, turnFaults } from "./role-rules.ts";
import { readRoles } from "./roles.ts";
import { sandboxFaults } from "./sandbox-faults.ts";
import { type ConfigFile, configSchema } from "./schema.ts";
import { schemaFaults } from "./schema-faults.ts";
import { settingsOf } from "./settings-of.ts";
import { isMapping, writtenSchema } from "./written-schema.ts";
import { readYaml } from "./yaml-text.ts";

const written = writtenSchema(configSchema);

/** What the configuration file and its role files say; with faults there are no settings. */
export interface SettingsRead {
  readonly settings: Settings | undefined;
  readonly access: ModelAccess | undefined;
  /** Undefined where traces go nowhere. */
  readonly collector: Collector | undefined;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
}

/** Reads and checks the configuration file and all that it names. `path` is absolute; never throws. */
export function readSettings(options: {
  readonly path: string;
  readonly cwd: string;
  readonly variables: Variables;
  readonly knownTools: readonly string[];
}): SettingsRead {
  const seen = relative(options.cwd, options.path);
  const file = seen.startsWith("..") ? options.path : seen;
  const text = readConfigText(options, file);
  if (text.content === undefined) return refused([text.fault]);
  const { document, faults: yamlFaults } = readYaml(text.content, file);
  if (yamlFaults.length > 0) return refused(yamlFaults);

  const { parsed, faulty, faults: shapeFaults } = parseDocument(document, file);
  const faults = [...shapeFaults];
  if (parsed === undefined) return refused(faults);

  const access = faulty.has("runtime")
    ? undefined
    : readModelAccess(parsed.runtime.provider, withoutEmpty(options.variables), file);
  const roles = faulty.has("agents_dir")
    ? undefined
    : readRoles(parsed.roles, {
        directory: roleDirectory(options.cwd, parsed.agents_dir),
        directoryWritten: parsed.agents_dir,
        file,
        knownTools: options.knownTools,
      });
  const collector = faulty.has("telemetry")
    ? undefined
    : readCollector(parsed.telemetry, withoutEmpty(options.variables), file);
  faults.push(
    ...(access?.faults ?? []),
    ...(collector?.faults ?? []),
    ...(roles?.faults ?? []),
    ...(faulty.has("level") || faulty.has("levels") ? [] : mergeFaults(parsed, file)),
    ...(["runtime", "sandbox", "setup"].some((key) => faulty.has(key)) ? [] : sandboxFaults(parsed, file)),
    ...turnFaults(parsed, file),
    ...roleRuleFaults(parsed, faulty.has("roles") ? undefined : document, file),
  );
  // What is put aside has the default here: what it says of prices and limits is not known.
  const costs =
    faulty.has("runtime") || faulty.has("circuit_breakers")
      ? undefined
      : roles && priceFaults(parsed, { document, roles: roles.roles, file });
  faults.push(...(costs?.faults ?? []));
  if (faults.length > 0 || access === undefined || roles === undefined) return refused(faults);
  return {
    settings: settingsOf(parsed, roles.roles),
    access,
    collector: collector?.collector,
    faults,
    notices: [...roles.notices, ...(costs?.notices ?? [])],
  };
}

function refused(faults: readonly string[]): SettingsRead {
  return { settings: undefined, access: undefined, collector: undefined, faults, notices: [] };
}

/**
 * Parses the document. A faulty top-level key, and a faulty role, is put aside for the checks that follow,
 * so that they find what is wrong with the rest at the same time; `faulty` names the top-level keys concerned.
 */
function parseDocument(
  document: unknown,
  file: string,
): {
  readonly parsed: ConfigFile | undefined;
  readonly faulty: ReadonlySet<string>;
  readonly faults: string[];
} {
  const whole = configSchema.safeParse(document);
  if (whole.success) return { parsed: whole.data, faulty: new Set(), faults: [] };
  const faults = schemaFaults(whole.error, { file, document, schema: written });
  const faulty = new Set<string>();
  const rest: unknown = structuredClone(document);
  if (!isMapping(rest)) return { parsed: undefined, faulty, faults };
  for (const { path, ...issue } of whole.error.issues) {
    const [key, name] = path.map(String);
    const roles = rest["roles"];
    if (issue.code === "unrecognized_keys" && path.length === 0) {
      for (const unknown of issue.keys) delete rest[unknown];
    } else if (key === "roles" && name !== undefined && isMapping(roles)) {
      faulty.add(key);
      delete roles[name];
    } else if (key !== undefined) {
      faulty.add(key);
      delete rest[key];
    }
  }
  return { parsed: configSchema.safeParse(rest).data, faulty, faults };
}

function readConfigText(
  { path, cwd }: { readonly path: string; readonly cwd: string },
  file: string,
): { readonly content: string } | { readonly content?: never; readonly fault: string } {
  try {
    return { content: readFileSync(path, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOENT"
      ? {
          fault: `${file} does not exist; start with \`cp ${exampleFrom(cwd)} ${file}\`, or set FLOTILLA_CONFIG.`,
        }
      : {
          fault: `${file} cannot be read (${String(code)}); correct its permissions, or set FLOTILLA_CONFIG.`,
        };
  }
}

/** As short as it can be written at the place where the copy is to be. */
function exampleFrom(cwd: string): string {
  const path = fileURLToPath(ownFile("../../config.example.yaml", import.meta.url));
  const seen = relative(cwd, path);
  return seen.startsWith("..") ? path : seen;
}
