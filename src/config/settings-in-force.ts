import { isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { redactor } from "../domain/access/redact.ts";
import { withoutSecretArguments, withoutSecretsOfAddresses } from "../domain/access/secret-arguments.ts";
import { configSchema } from "../domain/settings/config-schema.ts";
import { repositoryFileSchema } from "../domain/settings/repository-schema.ts";
import type { SettingInForce } from "../domain/settings/setting-in-force.ts";
import { keysOf, schemaAt, valueSchema, type WrittenSchema, writtenSchema } from "./written-schema.ts";

const withoutShapes = redactor([]);

/** Characters of a value that are shown. */
const LONGEST = 300;

type Path = readonly (string | number)[];

/** Where a value is written. */
interface Written {
  readonly node: unknown;
  readonly where: string | null;
}

const NOWHERE: Written = { node: undefined, where: null };

/**
 * Returns each value of the configuration file that applies, with its line or its default. The text is one that
 * `readSettings` has accepted. Values below `env` and the like are named but not shown, nor are arguments of MCP servers, and
 * of command lines and addresses what may be a password.
 */
export function settingsInForce(text: string, file: string): readonly SettingInForce[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const lineOf = (node: Node | null): string => `${file}:${lines.linePos(node?.range?.[0] ?? 0).line}`;
  const schema = writtenSchema(configSchema);
  const ofRepository = writtenSchema(repositoryFileSchema);

  const inside = ({ node }: Written, key: string): Written => {
    if (!isMap(node)) return NOWHERE;
    const pair = node.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === key,
    );
    return pair === undefined || !isScalar(pair.key)
      ? NOWHERE
      : { node: pair.value, where: lineOf(pair.key) };
  };

  const walk = (path: Path, at: WrittenSchema, given: Written): readonly SettingInForce[] => {
    const { node } = given;
    const written = isAlias(node) ? { ...given, node: node.resolve(document) } : given;
    const keys = keysOf(isMap(written.node) ? mappingOf(at) : at);
    if (keys.length > 0)
      return keys.flatMap(([key, inner]) => walk([...path, key], inner, inside(written, key)));
    const inner = valueSchema(at);
    if (isMap(written.node) && inner !== undefined && written.node.items.length > 0)
      return written.node.items.flatMap((item) =>
        isScalar(item.key)
          ? walk([...path, String(item.key.value)], inner, { node: item.value, where: lineOf(item.key) })
          : [],
      );
    if (isSeq(written.node) && keysOf(inner).length > 0)
      return written.node.items.flatMap((item, index) =>
        walk([...path, index], inner ?? {}, { node: item, where: lineOf(isMap(item) ? item : null) }),
      );
    return [leaf(path, at, written)];
  };

  const leaf = (path: Path, at: WrittenSchema, { node, where }: Written): SettingInForce => {
    const isWritten = where !== null;
    const value: unknown = isWritten ? (isNode(node) ? node.toJS(document) : node) : at.default;
    const isHidden = isWritten && mayHoldSecrets(path);
    return {
      key: printed(path),
      value: isHidden || value === undefined || value === null ? null : shown(path, value),
      source: isWritten ? "file" : at.default === undefined ? "not set" : "default",
      where,
      isHidden,
      isForRepositories: schemaAt(ofRepository, path) !== undefined,
      about: at.description ?? null,
    };
  };

  return walk([], schema, { node: document.contents, where: null });
}

/** Returns the schema of a mapping that may be left out as null. */
function mappingOf(at: WrittenSchema): WrittenSchema {
  const found = at.anyOf?.find((one) => typeof one === "object" && one.properties !== undefined);
  return typeof found === "object" ? found : at;
}

/** The literal values of environment variables of agents, services and apps. Those of MCP servers are names of variables. */
function mayHoldSecrets(path: Path): boolean {
  const [first, , third] = path;
  if (first === "setup") return path[1] === "environment" && path.length > 2;
  return first !== "mcp_servers" && third === "env" && path.length > 3;
}

function shown(path: Path, value: unknown): string {
  // A program may be given a secret as an argument.
  if (path.at(-1) === "command" && Array.isArray(value))
    return [String(value[0] ?? ""), ...(value.length > 1 ? ["…"] : [])].join(" ");
  const text = textOf(value).replace(/\s+/g, " ");
  const safe = withoutSecretsOfAddresses(withoutShapes(text));
  // Some MCP servers take a key as a part of their path.
  const told = path[0] === "mcp_servers" ? safe.replace(/^(\w+:\/\/[^/]+\/).+$/, "$1…") : safe;
  return told.length > LONGEST ? `${told.slice(0, LONGEST)}…` : told;
}

function textOf(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0
      ? "none"
      : value.map((one) => (isPlain(one) ? plainText(one) : JSON.stringify(one))).join(", ");
  if (isPlain(value)) return plainText(value);
  const text = JSON.stringify(value);
  return text === "{}" ? "none" : text;
}

/** Any text may be a command line, and a person may have written a secret into it. */
const plainText = (value: string | number | boolean): string => withoutSecretArguments(String(value));

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function printed(path: Path): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${part}`))
    .join("");
}
