import { LineCounter, parseDocument, type ScalarTag } from "yaml";

/** YAML 1.2 reads `128_000` as text; people write it as a number, so it is one. */
const underscoredInteger: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^\d{1,3}(?:_\d{3})+$/,
  resolve: (text) => Number(text.replaceAll("_", "")),
};

/**
 * Reads YAML. Faults are `<file>:<line>: <what is wrong>`; they hold no line of the text, which may hold a secret.
 * An empty text is an empty mapping. `firstLine` is where the text starts in its file.
 */
export function readYaml(
  text: string,
  file: string,
  firstLine = 1,
): { readonly document: unknown; readonly faults: readonly string[] } {
  const lineCounter = new LineCounter();
  const parsed = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    customTags: (tags) => [underscoredInteger, ...tags],
  });
  const faults = [...parsed.errors, ...parsed.warnings].map((fault) => {
    const line = lineCounter.linePos(fault.pos[0]).line + firstLine - 1;
    return `${file}:${line}: YAML: ${fault.message}`;
  });
  if (faults.length > 0) return { document: undefined, faults };
  try {
    return { document: parsed.toJS() ?? {}, faults };
  } catch (error) {
    return {
      document: undefined,
      faults: [`${file}: YAML: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
}
