import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import type { MadeApp } from "../../adapters/github/app/from-manifest.ts";
import { schemaLine } from "../../config/published-schema.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";
import { isLoopback } from "../../http/own-hosts.ts";

const KEY_FILE = "private-key.pem";
/** Variables that mean that an App exists, unless they are empty. */
const OF_AN_APP = [
  "APP_ID",
  "PRIVATE_KEY",
  "PRIVATE_KEY_PATH",
  "WEBHOOK_SECRET",
  "GITHUB_CLIENT_ID",
  "GITHUB_CLIENT_SECRET",
];

/** Returns what writing a new App's keys here would overwrite; undefined if nothing. */
export function inTheWay(cwd: string): string | undefined {
  if (existsSync(join(cwd, KEY_FILE))) return `${join(cwd, KEY_FILE)} exists.`;
  const path = join(cwd, ".env");
  if (!existsSync(path)) return undefined;
  const set = parseEnv(readFileSync(path, "utf8"));
  const name = OF_AN_APP.find((one) => (set[one] ?? "") !== "" && set[one] !== `./${KEY_FILE}`);
  return name === undefined ? undefined : `${path} has ${name} already.`;
}

/**
 * Writes the key (0600), adds to .env (0600), and writes config.yaml if it is missing. Returns the paths of
 * the written files. The key comes first, because GitHub gives it only once.
 */
export function writeFiles(
  cwd: string,
  app: MadeApp,
  server: { readonly gheHost: string | undefined; readonly gheProtocol: string },
): readonly string[] {
  const [key, env, config] = [join(cwd, KEY_FILE), join(cwd, ".env"), join(cwd, "config.yaml")];
  writeFileSync(key, app.privateKey, { mode: 0o600, flag: "wx" });
  const before = existsSync(env) ? readFileSync(env, "utf8") : "";
  const lines = [
    ...(before === "" || before.endsWith("\n") ? [] : [""]),
    `# The App ${app.url}, made by flotilla init.`,
    `APP_ID=${app.id}`,
    `PRIVATE_KEY_PATH=./${KEY_FILE}`,
    `WEBHOOK_SECRET=${app.webhookSecret}`,
    "# By these, people sign in to the dashboard with GitHub.",
    `GITHUB_CLIENT_ID=${app.clientId}`,
    `GITHUB_CLIENT_SECRET=${app.clientSecret}`,
    ...hostLines(app.address, parseEnv(before)),
    ...(server.gheHost === undefined
      ? []
      : [`GHE_HOST=${server.gheHost}`, `GHE_PROTOCOL=${server.gheProtocol}`]),
    ...("MODEL_API_KEY" in parseEnv(before)
      ? []
      : ["# The model provider's key; config.yaml names this variable.", "MODEL_API_KEY="]),
    "",
  ];
  writeFileSync(env, lines.join("\n"), { mode: 0o600, flag: "a" });
  chmodSync(env, 0o600);
  if (existsSync(config)) return [key, env];
  writeFileSync(config, `${lineFor(cwd)}${configFor(app.owner)}`, { flag: "wx" });
  return [key, env, config];
}

/** Returns lines that allow the public host name for the dashboard; an IP address needs none. */
function hostLines(address: string, set: NodeJS.Dict<string>): readonly string[] {
  const name = URL.parse(address)?.hostname ?? "";
  if ("FLOTILLA_HOSTS" in set || name === "" || isLoopback(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0)
    return [];
  return ["# The dashboard is opened under this name, and as localhost.", `FLOTILLA_HOSTS=${name}`];
}

/** Names this Flotilla's schema as an editor takes it in a file of `cwd`. An image holds no documentation, and no schema. */
function lineFor(cwd: string): string {
  const path = fileURLToPath(bundledFile("../../../docs/schema/config.json", import.meta.url));
  if (!existsSync(path)) return "";
  const seen = relative(cwd, path);
  return `${schemaLine(seen.startsWith("..") ? path : seen)}\n`;
}

function configFor(owner: string): string {
  return `# Flotilla's configuration. docs/configuration.md explains every key; what is left out has its default.
project:
  name: ${JSON.stringify(owner)}
repositories: [${JSON.stringify(`${owner}/*`)}]
runtime:
  # Your model provider; its key stands in .env.
  provider:
    type: openai
    base_url: https://api.openai.com/v1
    api_key_env: MODEL_API_KEY
  model: gpt-4.1
  # US dollars per million tokens: by these the limits of cost are kept.
  prices:
    gpt-4.1: { in: 2, cached: 0.5, out: 8 }
`;
}
