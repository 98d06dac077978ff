import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  type ScalarTag,
  visit,
  type YAMLMap,
} from "yaml";
import { messageOf } from "../domain/kernel/errors.ts";

/** Reads `128_000` as a number, as people mean it; YAML 1.2 reads it as text. */
const underscoredInteger: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^\d{1,3}(?:_\d{3})+$/,
  resolve: (text) => Number(text.replaceAll("_", "")),
};

/** Returns the line of the file at which a position of the text is. */
type LineOf = (position: number) => number;

interface YamlRead {
  readonly document: unknown;
  readonly faults: readonly string[];
}

/**
 * Reads YAML. Faults are `<file>:<line>: <fault>` and quote no text, which may contain a secret. An empty
 * text is an empty mapping. `firstLine` is the line of the file where the text starts. Never throws.
 */
export function readYaml(text: string, file: string, firstLine = 1): YamlRead {
  return read(text, file, firstLine, () => []);
}

/** Reads YAML of strangers, without aliases, by which a short text could become a huge one. */
export function readForeignYaml(text: string, file: string): YamlRead {
  return read(text, file, 1, (parsed) => {
    const found: number[] = [];
    visit(parsed, {
      Alias(_, { range }) {
        found.push(range?.[0] ?? 0);
      },
    });
    return found.map((position) => ({ position, says: "aliases are not read; write the value out." }));
  });
}

function read(
  text: string,
  file: string,
  firstLine: number,
  refused: (parsed: Document) => readonly { readonly position: number; readonly says: string }[],
): YamlRead {
  const lineCounter = new LineCounter();
  try {
    const parsed = parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      // With it each key is compared with all before it, which takes seconds for thousands; see `repeated`.
      uniqueKeys: false,
      customTags: (tags) => [underscoredInteger, ...tags],
    });
    const wrong = [...parsed.errors, ...parsed.warnings].map(({ pos, message }) => ({
      position: pos[0],
      says: message,
    }));
    const lineOf: LineOf = (position) => lineCounter.linePos(position).line + firstLine - 1;
    const faults = [...wrong, ...unreadable(parsed, lineOf), ...refused(parsed)].map(
      ({ position, says }) => `${file}:${lineOf(position)}: YAML: ${says}`,
    );
    return { document: faults.length > 0 ? undefined : (parsed.toJS() ?? {}), faults };
  } catch (error) {
    // The text is nested too deeply, or has too many aliases.
    return { document: undefined, faults: [`${file}: YAML: ${messageOf(error)}`] };
  }
}

/** Returns what does not become a mapping that zod checks key by key. */
function unreadable(
  parsed: Document,
  lineOf: LineOf,
): readonly { readonly position: number; readonly says: string }[] {
  const found: { position: number; says: string }[] = [];
  visit(parsed, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === "__proto__")
        found.push({ position: key.range?.[0] ?? 0, says: "__proto__ is no key; write another name." });
    },
    Collection(_, node) {
      const { tag, range } = node;
      if (isMap(node)) found.push(...repeated(node, lineOf));
      if (tag !== undefined && /:(?:set|omap)$/.test(tag))
        found.push({
          position: range?.[0] ?? 0,
          says: "!!set and !!omap are not read; write a plain mapping.",
        });
    },
  });
  return found;
}

/** Returns the keys of a mapping that are there a second time. */
function repeated(
  { items }: YAMLMap,
  lineOf: LineOf,
): readonly { readonly position: number; readonly says: string }[] {
  const seen = new Map<unknown, number>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const position = key.range?.[0] ?? 0;
    const first = seen.get(key.value);
    if (first === undefined) {
      seen.set(key.value, position);
      return [];
    }
    return [
      { position, says: `the key of line ${lineOf(first)} is here a second time; write each key once.` },
    ];
  });
}
