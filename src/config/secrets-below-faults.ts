import { headerFaults } from "./collector.ts";
import type { Variables } from "./environment.ts";
import { mcpSecretFaults } from "./mcp-secrets.ts";
import { tokenFaults } from "./registry-tokens.ts";
import { isMapping, printPath, valueAt } from "./written-schema.ts";

type FaultsOf = (key: string, name: string, value: string | undefined) => readonly string[];
type Path = readonly (string | number)[];

/** Returns the fault of the variable `name` as the key of the model provider; `key` is the path that names it. */
export const providerKeyUnset: FaultsOf = (key, name, value) =>
  value === undefined
    ? [`${key}: the environment variable ${name} is not set; set it to the provider's key.`]
    : [];

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Keys with a fault after which the secrets are not read, and where the document names their variables. */
const NAMING: readonly {
  readonly below: readonly string[];
  readonly paths: (document: unknown) => readonly Path[];
  readonly faults: FaultsOf;
  /** Whether a process that runs no agents needs them, too. */
  readonly always?: true;
}[] = [
  {
    below: ["runtime", "providers", "runtimes", "runtime_labels"],
    paths: providerPaths,
    faults: providerKeyUnset,
  },
  { below: ["mcp_servers"], paths: mcpPaths, faults: mcpSecretFaults },
  { below: ["registries", "sandbox"], paths: registryPaths, faults: tokenFaults },
  {
    below: ["telemetry"],
    paths: () => [["telemetry", "header", "value_env"]],
    faults: headerFaults,
    always: true,
  },
];

/**
 * Returns the faults of the secrets that a document names below its faulty top-level keys, so that they are told together with
 * those. Nothing is said of what stands at or below `faultyPaths`, which are told already: it may have to go, and may be no name but
 * the secret itself.
 */
export function secretsBelowFaults(
  document: unknown,
  given: {
    readonly faulty: ReadonlySet<string>;
    readonly faultyPaths: ReadonlySet<string>;
    readonly variables: Variables;
    /** Only a process that runs agents needs the secrets of the model provider, of MCP servers and of registries. */
    readonly runsAgents: boolean;
    readonly file: string;
  },
): readonly string[] {
  return NAMING.filter(
    ({ below, always }) =>
      (given.runsAgents || always === true) && below.some((key) => given.faulty.has(key)),
  ).flatMap(({ paths, faults }) =>
    paths(document).flatMap((path) => {
      const name = valueAt(document, path);
      if (
        typeof name !== "string" ||
        !VARIABLE.test(name) ||
        path.some((_, last) => given.faultyPaths.has(printPath(path.slice(0, last + 1))))
      )
        return [];
      return faults(`${given.file}: ${printPath(path)}`, name, given.variables[name]);
    }),
  );
}

function providerPaths(document: unknown): readonly Path[] {
  const named = valueAt(document, ["providers"]);
  return [
    ["runtime", "provider", "api_key_env"],
    ...(isMapping(named) ? Object.keys(named) : []).map((name) => ["providers", name, "api_key_env"]),
  ];
}

function mcpPaths(document: unknown): readonly Path[] {
  const servers = valueAt(document, ["mcp_servers"]);
  if (!isMapping(servers)) return [];
  return Object.keys(servers).flatMap((server): readonly Path[] => {
    const env = valueAt(servers, [server, "env"]);
    return [
      ...(isMapping(env) ? Object.keys(env) : []).map((name) => ["mcp_servers", server, "env", name]),
      ["mcp_servers", server, "header", "value_env"],
    ];
  });
}

function registryPaths(document: unknown): readonly Path[] {
  const registries = valueAt(document, ["registries"]);
  if (!Array.isArray(registries)) return [];
  return registries.map((_, index) => ["registries", index, "token_env"]);
}
