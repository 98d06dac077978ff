import { isMapping } from "./written-schema.ts";
import { readForeignYaml } from "./yaml-text.ts";

/** The time to parse deliberately nested YAML grows faster than its length. */
const MOST_CHARACTERS = 4096;

/** Splits a text of a repository into its front matter and what follows it. Never throws. */
export function readFrontMatter(text: string): {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly body: string;
} {
  const match = /^\uFEFF?---[ \t]*\r?\n(.*?\r?\n)?---[ \t]*(?:\r?\n(.*))?$/s.exec(text);
  if (match === null) return { data: null, body: text };
  const [, yaml = "", body = ""] = match;
  if (yaml.length > MOST_CHARACTERS) return { data: null, body };
  const { document } = readForeignYaml(yaml, "front matter");
  return { data: isMapping(document) ? document : null, body };
}
