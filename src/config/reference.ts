import { configSchema } from "../domain/settings/config-schema.ts";
import { keysOf, leavesOf, valueSchema, type WrittenSchema, writtenSchema } from "./written-schema.ts";

/**
 * Returns the text of `docs/configuration.md`: every key with type, default and meaning, then the
 * environment, at its end the variables of runtimes and databases.
 */
export function printReference(
  declared: readonly { readonly variables: Readonly<Record<string, string>> }[],
): string {
  const sections = keysOf(writtenSchema(configSchema)).map(([key, schema]) => printSection(key, schema));
  const rows = declared
    .flatMap(({ variables }) => Object.entries(variables))
    .map(([name, meaning]) => `| ${code(name)} | | ${meaning} |\n`);
  return [REFERENCE_HEAD, "## Keys\n", ...sections, `${REFERENCE_ENVIRONMENT}${rows.join("")}`].join("\n");
}

function printSection(key: string, schema: WrittenSchema): string {
  const rows = leavesOf(key, schema);
  if (rows.length === 0) return `### ${key}\n\n${schema.description ?? ""}\n`;
  const about = keysOf(schema).length === 0 ? "" : `${schema.description ?? ""}\n\n`;
  const lines = rows.map(([path, leaf]) => {
    return `| ${code(path)} | ${typeOf(leaf)} | ${defaultOf(leaf)} | ${leaf.description ?? ""} |`;
  });
  return `### ${key}\n\n${about}| key | type | default | meaning |\n|---|---|---|---|\n${lines.join("\n")}\n`;
}

function typeOf(schema: WrittenSchema): string {
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(", ");
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one)).join(" or ");
  if (schema.title === "duration") return "duration";
  const value = valueSchema(schema);
  if (schema.type === "array") return `list of ${value === undefined ? "values" : typeOf(value)}`;
  return TYPES.get(String(schema.type)) ?? String(schema.type);
}

const TYPES = new Map([
  ["string", "text"],
  ["integer", "whole number"],
  ["boolean", "`true`, `false`"],
  ["object", "mapping"],
]);

function defaultOf(schema: WrittenSchema): string {
  const { default: value } = schema;
  if (value === undefined) return "";
  if (typeof value !== "object" || value === null) {
    return code(typeof value === "string" ? value : JSON.stringify(value));
  }
  const keys = Array.isArray(value) ? value.map(String) : Object.keys(value);
  return keys.length === 0 ? "none" : keys.map(code).join(", ");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The text before the keys in `docs/configuration.md`. */
const REFERENCE_HEAD = `# Configuration

Made from the schema in \`src/domain/settings/config-schema.ts\`: to change this page, change the descriptions there and run \`npx vitest run test/config -u\`.

The file is \`config.yaml\` in the working directory, or what \`FLOTILLA_CONFIG\` names. Begin with \`cp config.example.yaml config.yaml\`.

- An unknown key, event or tool, a role that nothing leads to, a missing role file: start-up is refused. All faults are printed at once, each with its path and the nearest valid name.
- Durations are one number and a unit: \`90s\`, \`15m\`, \`2h\`, \`7d\`. Paths are seen from the working directory.
- Without \`runtime.provider\`, GitHub Copilot is used with the token in \`COPILOT_GITHUB_TOKEN\`. With it, the key is in the variable that \`api_key_env\` names. Keys never stand in the file.
- Role files are explained in [roles.md](roles.md).
`;

/** The text after the keys. */
const REFERENCE_ENVIRONMENT = `## Environment

An empty variable counts as unset.

| variable | default | meaning |
|---|---|---|
| \`APP_ID\` | needed | The App's number, from its settings. |
| \`PRIVATE_KEY\` or \`PRIVATE_KEY_PATH\` | needed | The App's private key: the PEM text (line ends may be written \`\\n\`), or the path of the .pem file. The text wins. |
| \`WEBHOOK_SECRET\` | needed | At least 32 bytes; make one with \`openssl rand -hex 32\`. |
| \`WEBHOOK_SECRET_PREVIOUS\` | | The secret before, accepted as well while it is being changed. |
| \`GHE_HOST\` | | Host of a GitHub Enterprise Server, without scheme and path. |
| \`GHE_PROTOCOL\` | \`https\` | \`http\` or \`https\`. |
| \`HOST\` | \`127.0.0.1\` | Address to listen on. |
| \`PUBLIC_URL\` | | Address under which people open the dashboard, such as \`https://flotilla.example.com\`. With it each comment, pull request, review and check on GitHub links to the page of its agent. Its host name need not be in \`FLOTILLA_HOSTS\`. |
| \`FLOTILLA_HOSTS\` | | Host names under which people open the dashboard, with commas between them: that of your proxy or tunnel, such as \`flotilla.example.com\`. \`localhost\` and addresses in numbers need not stand here; the webhook's path and health take any name. |
| \`PORT\` | \`3000\` | Port to listen on; 0 takes a free one. |
| \`FLOTILLA_CONFIG\` | \`config.yaml\` | The configuration file. |
| \`FLOTILLA_DATA_DIR\` | \`./data\` | Where the database, mirrors, worktrees and sessions live. |
| \`FLOTILLA_NODE\` | the host name | The name of this machine, which the dashboard and the API show for its agents. Set it in a container, where the host name changes. |
| \`FLOTILLA_ROLE\` | all | The roles of this process, with commas between them: \`intake\`, \`controller\`, \`runner\`, \`web\`. Fewer than all need a database server (\`DATABASE_URL\`); \`--role\` says the same. A process needs the secrets of its roles alone. See [scale-out.md](scale-out.md). |
| \`FLOTILLA_MARKER_SECRET\` | | Signs the marks by which Flotilla knows its own comments, at least 24 characters; without it one is made and kept in the database, for all processes that use it. The one that an earlier version kept in \`marker-secret\` of the data directory is taken over. With another secret, Flotilla no longer recognizes the comments that it wrote. |
| \`DASHBOARD_TOKEN\` | | Token of dashboard and API, at least 24 characters; without it one is made. |
| \`GITHUB_CLIENT_ID\`, \`GITHUB_CLIENT_SECRET\` | | People sign in to the dashboard by GitHub; from the App's settings, both or none. |
| \`LOG_LEVEL\` | \`info\` | \`trace\`, \`debug\`, \`info\`, \`warn\`, \`error\`, \`fatal\` or \`silent\`. |
| \`LOG_FORMAT\` | | \`text\` for people or \`json\` for programs; without it text on a terminal, else JSON. |
`;
