import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { TokenRegistry } from "../domain/access/registry.ts";
import type { ModelAccount } from "../domain/breakers/provider-breaker.ts";
import type { McpSecrets } from "../domain/ports/mcp-servers.ts";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { type ConfigFile, configSchema } from "../domain/settings/config-schema.ts";
import { providerKeyFaults } from "../domain/settings/environment-variables.ts";
import { toolsOfServers } from "../domain/settings/mcp-section.ts";
import type { SettingInForce } from "../domain/settings/setting-in-force.ts";
import { type Settings, settingsOf } from "../domain/settings/settings.ts";
import { type Collector, readCollector } from "./collector.ts";
import { rolesIn, type Variables, withoutEmpty } from "./environment.ts";
import { readMcpSecrets } from "./mcp-secrets.ts";
import { type ModelAccess, readModelAccess } from "./model-access.ts";
import { type NoticeAddress, readNoticeAddresses } from "./notice-addresses.ts";
import { priceFaults } from "./price-faults.ts";
import { readRegistries } from "./registry-tokens.ts";
import { roleDirectory } from "./role-directory.ts";
import { roleRuleFaults, turnFaults } from "./role-rules.ts";
import { readRoles } from "./roles.ts";
import { asksOwnAccount, type KnownPreset, runtimeFaults } from "./runtime-faults.ts";
import { scheduleFaults } from "./schedule-faults.ts";
import { schemaFaults } from "./schema-faults.ts";
import { secretsBelowFaults } from "./secrets-below-faults.ts";
import { settingsInForce } from "./settings-in-force.ts";
import { isMapping, printPath, writtenSchema } from "./written-schema.ts";
import { readYaml } from "./yaml-text.ts";

const written = writtenSchema(configSchema);

/** The result of reading the configuration file and its role files; with faults there are no settings. */
interface SettingsRead {
  readonly settings: Settings | undefined;
  readonly access: ModelAccess | undefined;
  /** Undefined where no traces are sent. */
  readonly collector: Collector | undefined;
  readonly mcpSecrets: ReadonlyMap<string, McpSecrets>;
  readonly registries: readonly TokenRegistry[];
  readonly noticeAddresses: ReadonlyMap<string, NoticeAddress>;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
  /** Each value with where it comes from. */
  readonly inForce: readonly SettingInForce[];
}

/** Reads and checks the configuration file and all files that it names. `path` is absolute; never throws. */
export function readSettings(options: {
  readonly path: string;
  readonly cwd: string;
  readonly variables: Variables;
  readonly knownTools: readonly string[];
  readonly ownAccount: ModelAccount | null;
  readonly presets: readonly KnownPreset[];
}): SettingsRead {
  const seen = relative(options.cwd, options.path);
  const file = seen.startsWith("..") ? options.path : seen;
  const text = readConfigText(options, file);
  if (text.content === undefined) return refused([text.fault]);
  const { document, faults: yamlFaults } = readYaml(text.content, file);
  if (yamlFaults.length > 0) return refused(yamlFaults);

  const { parsed, faulty, faultyPaths, faults: shapeFaults } = parseDocument(document, file);
  const variables = withoutEmpty(options.variables);
  const runsAgents = rolesIn(variables).has("runner");
  const faults = [
    ...shapeFaults,
    ...secretsBelowFaults(document, { faulty, faultyPaths, variables, runsAgents, file }),
  ];
  if (parsed === undefined) return refused(faults);

  // Roles name servers: without them each name would be a fault of its own.
  const roles = ["agents_dir", "mcp_servers"].some((key) => faulty.has(key))
    ? undefined
    : readRoles(parsed.roles, {
        directory: roleDirectory(options.cwd, parsed.agentsDir),
        directoryWritten: parsed.agentsDir,
        file,
        knownTools: options.knownTools,
        mcpServers: toolsOfServers(parsed.mcpServers),
      });
  const isRuntimeKnown = !["runtime", "providers", "runtimes", "runtime_labels"].some((key) =>
    faulty.has(key),
  );
  const asksOwn = isRuntimeKnown && asksOwnAccount(parsed, roles?.roles ?? new Map());
  const access = isRuntimeKnown
    ? readModelAccess(parsed, { ...options, asksOwnAccount: asksOwn, file })
    : undefined;
  const collector = faulty.has("telemetry") ? undefined : readCollector(parsed.telemetry, variables, file);
  const mcp = readMcpSecrets(parsed.mcpServers, variables);
  const told = readNoticeAddresses(parsed.notices, variables);
  const registries = ["registries", "sandbox"].some((key) => faulty.has(key))
    ? undefined
    : readRegistries(parsed, { variables, runsAgents, file });
  faults.push(
    ...(access?.faults ?? []),
    ...(runsAgents ? mcp.faults.map((fault) => `${file}: ${fault}`) : []),
    ...(registries?.faults ?? []),
    // Only a process that carries out effects on GitHub sends notices.
    ...(rolesIn(variables).has("controller") ? told.faults.map((fault) => `${file}: ${fault}`) : []),
    ...(collector?.faults ?? []),
    ...(roles?.faults ?? []),
    ...(faulty.has("level") || faulty.has("levels") ? [] : mergeFaults(parsed, file)),
    ...(["mcp_servers", "registries", "runtime", "sandbox", "setup"].some((key) => faulty.has(key))
      ? []
      : sandboxFaults(parsed, asksOwn ? options.ownAccount : null, file)),
    ...(isRuntimeKnown && roles !== undefined
      ? runtimeFaults(parsed, {
          roles: roles.roles,
          labelOf: ({ name }) => join(parsed.agentsDir, parsed.roles[name]?.prompt ?? name),
          presets: options.presets,
          file,
        })
      : []),
    ...providerKeyFaults(parsed, parsed).map((fault) => `${file}: ${fault}`),
    ...(faulty.has("roles") || faulty.has("repositories") ? [] : scheduleFaults(parsed, file)),
    ...turnFaults(parsed, file),
    ...roleRuleFaults(parsed, faulty.has("roles") ? undefined : document, file),
  );
  // A faulty part has its default here, so its prices and limits are unknown.
  const costs =
    !isRuntimeKnown || faulty.has("circuit_breakers")
      ? undefined
      : roles && priceFaults(parsed, { document, roles: roles.roles, file });
  faults.push(...(costs?.faults ?? []));
  if (faults.length > 0 || access === undefined || roles === undefined) return refused(faults);
  return {
    settings: settingsOf(parsed, roles.roles),
    access,
    collector: collector?.collector,
    mcpSecrets: mcp.secrets,
    registries: registries?.registries ?? [],
    noticeAddresses: told.addresses,
    faults,
    notices: [...roles.notices, ...(costs?.notices ?? [])],
    inForce: settingsInForce(text.content, file),
  };
}

function refused(faults: readonly string[]): SettingsRead {
  return {
    settings: undefined,
    access: undefined,
    collector: undefined,
    mcpSecrets: new Map(),
    registries: [],
    noticeAddresses: new Map(),
    faults,
    notices: [],
    inForce: [],
  };
}

/**
 * Parses the document. Removes a faulty top-level key or role before the later checks, so that they find
 * other faults at the same time; `faulty` names the affected top-level keys, `faultyPaths` what is faulty itself.
 */
function parseDocument(
  document: unknown,
  file: string,
): {
  readonly parsed: ConfigFile | undefined;
  readonly faulty: ReadonlySet<string>;
  readonly faultyPaths: ReadonlySet<string>;
  readonly faults: string[];
} {
  const whole = configSchema.safeParse(document);
  if (whole.success) return { parsed: whole.data, faulty: new Set(), faultyPaths: new Set(), faults: [] };
  const faults = schemaFaults(whole.error, { file, document, schema: written });
  const faulty = new Set<string>();
  const faultyPaths = new Set(
    whole.error.issues.flatMap(({ code, path }) => (code === "unrecognized_keys" ? [] : printPath(path))),
  );
  const rest: unknown = structuredClone(document);
  if (!isMapping(rest)) return { parsed: undefined, faulty, faultyPaths, faults };
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
  return { parsed: configSchema.safeParse(rest).data, faulty, faultyPaths, faults };
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

/** Returns the shortest path of the example as seen from `cwd`. */
function exampleFrom(cwd: string): string {
  const path = fileURLToPath(bundledFile("../../config.example.yaml", import.meta.url));
  const seen = relative(cwd, path);
  return seen.startsWith("..") ? path : seen;
}

/**
 * Returns a fault unless the level `merge` is confirmed by a second key, because it goes beyond every other
 * level.
 */
function mergeFaults(
  { merge, level, levels }: Pick<ConfigFile, "merge" | "level" | "levels">,
  file: string,
): string[] {
  if (!merge.auto || [level, ...Object.values(levels.repositories)].includes("merge")) return [];
  return [
    `${file}: merge.auto: true needs \`level: merge\`, and the level is ${level}; write \`level: merge\`, or \`merge: { auto: false }\`.`,
  ];
}

/** Returns the faults of sandbox keys that contradict each other. `own`: the account that agents reach themselves. */
function sandboxFaults(
  {
    mcpServers,
    registries,
    sandbox,
    setup,
  }: Pick<ConfigFile, "mcpServers" | "registries" | "sandbox" | "setup">,
  own: ModelAccount | null,
  file: string,
): string[] {
  const { mode, network, allowHosts: hosts, privateHosts } = sandbox;
  const faults = Object.entries(mcpServers)
    .filter(([, server]) => mode === "none" && server.hosts.length > 0)
    .map(
      ([name]) =>
        `mcp_servers.${name}.hosts: sandbox.mode: none holds it back from no host; take them out, or write \`mode: bubblewrap\`.`,
    );
  if (
    mode === "none" &&
    (network === "proxy" || [...hosts, ...setup.network, ...setup.repositoriesMay.hosts].length > 0)
  )
    faults.push(
      "sandbox.mode: none holds nobody back from any host; leave out sandbox.network, sandbox.allow_hosts, setup.network and setup.repositories_may.hosts, or write `mode: bubblewrap`.",
    );
  else if (mode === "none" && registries.length + privateHosts.length > 0)
    faults.push(
      "sandbox.mode: none has no proxy, which registries and sandbox.private_hosts need; take them out, or write `mode: bubblewrap`.",
    );
  else if (network === "none" && hosts.length > 0)
    faults.push("sandbox.allow_hosts: needs `network: proxy`; write it, or leave the hosts out.");
  else if (network === "proxy" && hosts.length === 0 && registries.length === 0)
    faults.push(
      "sandbox.network: proxy needs the hosts that it lets through; name them in allow_hosts, or write `network: none`.",
    );
  else if (mode === "bubblewrap" && network === "none" && own !== null)
    faults.push(
      `sandbox.network: none keeps a confined agent from ${own.name}, which is used where runtime.provider is missing; configure a provider, or write \`sandbox: { network: proxy, allow_hosts: [...] }\` with the hosts of ${own.name}.`,
    );
  return faults.map((fault) => `${file}: ${fault}`);
}
