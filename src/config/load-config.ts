import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { TokenRegistry } from "../domain/access/registry.ts";
import type { ModelAccount } from "../domain/breakers/provider-breaker.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";
import type { ModelProvider } from "../domain/ports/agent-runtime.ts";
import type { McpSecrets } from "../domain/ports/mcp-servers.ts";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import type { SettingInForce } from "../domain/settings/setting-in-force.ts";
import type { Settings } from "../domain/settings/settings.ts";
import type { Collector } from "./collector.ts";
import { type Environment, type EnvironmentSecrets, readEnvironment, type Variables } from "./environment.ts";
import type { NoticeAddress } from "./notice-addresses.ts";
import { readSettings } from "./read-settings.ts";
import type { KnownPreset } from "./runtime-faults.ts";
import { schemaFaults } from "./schema-faults.ts";
import { variablesInForce } from "./variables-in-force.ts";
import { writtenSchema } from "./written-schema.ts";
import { readYaml } from "./yaml-text.ts";

/** The whole configuration, frozen. */
export interface Config extends Settings {
  readonly environment: Environment;
  /** Labels that Flotilla creates where they are missing. */
  readonly labels: readonly Label[];
  /** Each value with where it comes from, variables first. Not enumerable: every value stands in the settings, too. */
  readonly inForce: readonly SettingInForce[];
  /** Not enumerable, so that printing, logging or copying a Config omits the secrets. */
  readonly secrets: Secrets;
}

/** Keys and tokens. */
interface Secrets extends EnvironmentSecrets {
  /** That of `runtime.provider`, with its key. */
  readonly provider: ModelProvider | undefined;
  /** Those of `providers` by name, with their keys. */
  readonly providers: ReadonlyMap<string, ModelProvider>;
  /** The key of the built-in runtime's own account, set where that account pays. */
  readonly accountKey: string | undefined;
  /** The collector with its key, if it needs one; undefined where no traces are sent. */
  readonly collector: Collector | undefined;
  /** Of MCP servers, by name. */
  readonly mcpServers: ReadonlyMap<string, McpSecrets>;
  /** The registries with their tokens. */
  readonly registries: readonly TokenRegistry[];
  /** Of the receivers of notices, by name. */
  readonly noticeAddresses: ReadonlyMap<string, NoticeAddress>;
  /** Passwords of databases. */
  readonly database: readonly string[];
}

/**
 * Reads the environment, the configuration file and the role files. `notices` name settings without the
 * effect that one might expect. Throws `StartupRefused` with all faults at once.
 */
export function loadConfig(options: {
  readonly env: Variables;
  /** Absolute; relative paths are resolved against it. */
  readonly cwd: string;
  /** Names of our tools, which a role file may list. */
  readonly knownTools: readonly string[];
  /** The built-in runtime's own account. */
  readonly ownAccount: ModelAccount | null;
  readonly presets: readonly KnownPreset[];
  /** Returns the passwords of databases that the variables hold. */
  readonly databaseSecrets: (variables: Variables) => readonly string[];
}): { readonly config: Config; readonly notices: readonly string[] } {
  const { environment, secrets, faults } = readEnvironment(options.env, options.cwd);
  const read = readSettings({
    path: environment?.configPath ?? resolve(options.cwd, options.env["FLOTILLA_CONFIG"] || "config.yaml"),
    cwd: options.cwd,
    variables: options.env,
    knownTools: options.knownTools,
    ownAccount: options.ownAccount,
    presets: options.presets,
  });
  const { settings, access, collector, registries } = read;
  if (environment === undefined || settings === undefined || access === undefined) {
    throw new StartupRefused([...faults, ...read.faults]);
  }
  const config: Config = {
    ...settings,
    environment,
    labels: withEscalationLabel(readLabels(), settings.escalation.label),
    secrets: {
      ...secrets,
      provider: access.provider,
      providers: access.providers,
      accountKey: access.accountKey,
      collector,
      mcpServers: read.mcpSecrets,
      registries,
      noticeAddresses: read.noticeAddresses,
      database: options.databaseSecrets(options.env),
    },
    inForce: [...variablesInForce(options.env), ...read.inForce],
  };
  freeze(config.secrets);
  freeze(config.inForce);
  for (const name of ["secrets", "inForce"]) Object.defineProperty(config, name, { enumerable: false });
  return { config: freeze(config), notices: read.notices };
}

/** Freezes a plain value deeply; maps refuse changes as well. Returns the same value. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const inner of value.values()) freeze(inner);
    for (const method of ["set", "delete", "clear"]) {
      Object.defineProperty(value, method, { value: refuse });
    }
  }
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
  return value;
}

function refuse(): never {
  throw new TypeError("configuration is frozen");
}

const labelsSchema = z.array(
  z.strictObject({
    name: z.string().min(1).max(50),
    color: z.string().regex(/^[0-9a-f]{6}$/, { error: "write six hexadecimal digits in quotes, without #" }),
    description: z.string().max(100),
  }),
);

/** A label in the form of GitHub's API: `color` is six hexadecimal digits without `#`. */
type Label = Readonly<z.output<typeof labelsSchema>[number]>;

const FILE = "config/labels.yaml";

/** Adds the configured label for issues that wait for a person, in the form of the bundled one. */
export function withEscalationLabel(labels: readonly Label[], name: string): readonly Label[] {
  // GitHub treats labels that differ only in case as the same.
  if (labels.some((label) => label.name.toLowerCase() === name.toLowerCase())) return labels;
  return [...labels, { name, color: "fbca04", description: "Waits for a person." }];
}

/**
 * Returns the labels of the bundled `config/labels.yaml`, or of the given text. Throws `StartupRefused` for a
 * faulty one.
 */
export function readLabels(
  text = readFileSync(bundledFile(`../../${FILE}`, import.meta.url), "utf8"),
): Label[] {
  const { document, faults } = readYaml(text, FILE);
  if (faults.length > 0) throw new StartupRefused(faults);
  const parsed = labelsSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new StartupRefused(
    schemaFaults(parsed.error, { file: FILE, document, schema: writtenSchema(labelsSchema) }),
  );
}
