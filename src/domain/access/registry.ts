/** What a registry of packages speaks, which says by which variables or files a tool finds it. */
export const REGISTRY_KINDS = ["npm", "pypi", "go", "cargo", "maven", "generic"] as const;

/** A registry that asks for a token, which stays with the host. */
export interface Registry {
  readonly kind: (typeof REGISTRY_KINDS)[number];
  /** Its base address, with a slash at its end. */
  readonly url: string;
  /** The name of the environment variable that holds its token. */
  readonly tokenEnv: string;
}

/** A registry with its token: for the host's own requests alone. */
export interface TokenRegistry extends Registry {
  readonly token: string;
}

/** Where commands in a sandbox find what the host adds. */
export const PLACE_INSIDE = "/run/flotilla/egress";
const MAVEN_FILE = "maven-settings.xml";
const FIRST_PORT = 3129;

/** Returns the loopback port of the registry at this place of the list. */
export function registryPort(at: number): number {
  return FIRST_PORT + at;
}

/** Returns the name of the registry's socket in the host's directory. */
export function registrySocket(at: number): string {
  return `registry-${registryPort(at)}.sock`;
}

/** Returns the address under which commands in a sandbox see a registry. Its path is the same as outside. */
export function insideUrl({ url }: Registry, at: number): string {
  return `${insideOrigin(at)}${new URL(url).pathname}`;
}

function insideOrigin(at: number): string {
  return `http://127.0.0.1:${registryPort(at)}`;
}

/** Returns the variables by which the tools in a sandbox find the registries. No value is a secret. */
export function registryVariables(registries: readonly Registry[]): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...registries.map((registry, at) => variablesOf(registry, insideUrl(registry, at))),
  );
}

function variablesOf(registry: Registry, url: string): Readonly<Record<string, string>> {
  switch (registry.kind) {
    case "npm":
      return {
        npm_config_registry: url,
        // Lock files name the registry by its own address.
        npm_config_replace_registry_host: "always",
        // An audit is a POST, which is refused.
        npm_config_audit: "false",
      };
    case "pypi":
      return { PIP_INDEX_URL: url };
    case "go":
      return {
        GOPROXY: url.replace(/\/$/, ""),
        // What a repository names in GOPRIVATE would be asked for at its own server.
        GONOPROXY: "none",
        // The database of checksums knows no private module. go.sum is checked as ever. GOSUMDB=off would refuse toolchains.
        GONOSUMDB: "*",
      };
    case "maven":
      return { MAVEN_ARGS: `-s ${PLACE_INSIDE}/${MAVEN_FILE}` };
    case "generic":
      return { [genericVariable(registry.url)]: url };
    case "cargo":
      return {};
  }
}

/** Returns the variable that holds the address of a generic registry, which is named after its host. */
export function genericVariable(url: string): string {
  return `FLOTILLA_REGISTRY_${new URL(url).hostname.toUpperCase().replaceAll(/[^A-Z\d]/g, "_")}`;
}

/** A file for tools that no variable leads to a registry: its name in the host's directory, and where it is seen. */
interface RegistryFile {
  readonly name: string;
  readonly seenAt: string;
  readonly text: string;
}

/** Returns the files that the tools in a sandbox need. None holds a secret. */
export function registryFiles(registries: readonly Registry[]): readonly RegistryFile[] {
  return registries.flatMap((registry, at) => {
    const inside = insideUrl(registry, at);
    // Cargo reads this file of each directory above the one that it works in.
    if (registry.kind === "cargo")
      return [{ name: "cargo.toml", seenAt: "/.cargo/config.toml", text: cargoConfig(registry.url, inside) }];
    if (registry.kind === "maven")
      return [{ name: MAVEN_FILE, seenAt: `${PLACE_INSIDE}/${MAVEN_FILE}`, text: mavenSettings(inside) }];
    return [];
  });
}

function cargoConfig(url: string, inside: string): string {
  return [
    "[source.flotilla-upstream]",
    `registry = ${JSON.stringify(`sparse+${url}`)}`,
    'replace-with = "flotilla"',
    "",
    "[source.flotilla]",
    `registry = ${JSON.stringify(`sparse+${inside}`)}`,
    "",
  ].join("\n");
}

function mavenSettings(inside: string): string {
  const url = inside.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<settings>
  <mirrors>
    <mirror><id>flotilla</id><mirrorOf>*</mirrorOf><url>${url}</url></mirror>
  </mirrors>
</settings>
`;
}

/**
 * Returns the whole value of `Authorization` for a token: Basic for one that is written `user:password`, else what
 * registries of the kind expect.
 */
export function registryCredential(kind: Registry["kind"], token: string): string {
  if (token.includes(":")) return `Basic ${btoa(token)}`;
  if (kind === "pypi") return `Basic ${btoa(`__token__:${token}`)}`;
  return kind === "cargo" ? token : `Bearer ${token}`;
}

/** Shorter passwords are in many texts. */
const SHORTEST_PASSWORD = 8;

/** Returns what no answer may hold: the token, its password, and the credential as it is sent; the longest first. */
export function registrySecrets({ kind, token }: TokenRegistry): readonly string[] {
  const passwords = token
    .split(":")
    .slice(1)
    .filter(({ length }) => length >= SHORTEST_PASSWORD);
  const sent = registryCredential(kind, token).replace(/^\w+ /, "");
  return [...new Set([token, sent, ...passwords])].toSorted((one, other) => other.length - one.length);
}

/** The last part of an index's path, where packages lie beside the index and not below it. */
const INDEX: Partial<Record<Registry["kind"], string>> = { pypi: "simple", cargo: "index" };

/** Returns the path that no request of a sandbox leaves, with a slash at its end. */
function limitOf({ kind, url }: Registry): string {
  const path = new URL(url).pathname;
  const index = INDEX[kind];
  return index !== undefined && path.endsWith(`/${index}/`) ? path.slice(0, -index.length - 1) : path;
}

/** Returns true when the address is one of the registry's own. */
export function isOfRegistry(registry: Registry, url: string): boolean {
  const asked = URL.parse(url);
  return (
    asked !== null &&
    asked.origin === new URL(registry.url).origin &&
    asked.username === "" &&
    asked.password === "" &&
    asked.pathname.startsWith(limitOf(registry)) &&
    isPlain(asked.pathname)
  );
}

/**
 * Returns the address of a request's target, such as `/npm/pkg?x=1`; null for a target that could leave the registry's
 * path. A path beside the registry's is taken as one below it: older npm builds such paths from a lock file.
 */
export function upstreamUrl(registry: Registry, target: string): string | null {
  const [path = "", query] = target.split(/\?(.*)/s);
  if (!path.startsWith("/") || !isPlain(path) || /[#\\\s]/.test(target)) return null;
  const limit = limitOf(registry);
  const below = path.startsWith(limit) ? path : `${limit}${path.slice(1)}`;
  const url = `${new URL(registry.url).origin}${below}${query === undefined ? "" : `?${query}`}`;
  return isOfRegistry(registry, url) ? url : null;
}

/**
 * Returns false for a path with a segment that a server could read as `..`: written with an escape, of which an encoded
 * percent sign hides another, or with a parameter behind it. Control characters, and those that are written with more
 * bytes than they need, are in no name.
 */
function isPlain(path: string): boolean {
  const segments = path.replaceAll(/%2f/gi, "/").split("/");
  return (
    !/%(?:2e|5c|25|[01][\da-f]|7f|c[01]|e0%[89]|f0%8)/i.test(path) &&
    !segments.some((segment) => /^\.{1,2}(?:;|$)/.test(segment))
  );
}

/** An answer of a registry: what was asked for, by whom, and what it is. */
interface RegistryAnswer {
  /** The target of the request. */
  readonly target: string;
  readonly userAgent: string;
  readonly contentType: string;
}

/**
 * Returns what is replaced in an answer, so that the addresses of packages in it lead here. Nothing in what may have a
 * checksum. Nothing for npm itself: it replaces these addresses, and would write replaced ones into its lock file.
 */
export function registryRewrites(
  registry: Registry,
  at: number,
  { target, userAgent, contentType }: RegistryAnswer,
): readonly (readonly [from: string, to: string])[] {
  const limit = limitOf(registry);
  const addresses = [`${new URL(registry.url).origin}${limit}`, `${insideOrigin(at)}${limit}`] as const;
  const isIndex = /^(?:text\/html|application\/(?:[\w.+-]+\+)?(?:json|html))\b/.test(contentType);
  switch (registry.kind) {
    case "npm":
      return isIndex && !userAgent.startsWith("npm/") ? [addresses] : [];
    case "pypi":
      return isIndex ? [addresses] : [];
    case "cargo":
      // With the second, cargo would look for a token of its own.
      return target.endsWith("/config.json") ? [addresses, ['"auth-required"', '"auth-by-the-host"']] : [];
    default:
      return [];
  }
}
