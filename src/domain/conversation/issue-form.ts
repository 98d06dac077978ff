import { codeBlocks } from "../safe-text/code-blocks.ts";

/** GitHub's words for a field that was left empty. */
const EMPTY = "_No response_";

/** A field of an issue form. */
export interface FormField {
  readonly label: string;
  /** Empty where nobody filled it in. */
  readonly value: string;
}

/**
 * Returns the fields of a text that GitHub made from an issue form: level-3 headings, each above an empty line and what
 * was filled in. Null for other texts, and for one with a single heading, which a person may have written.
 */
export function formFields(text: string): readonly FormField[] | null {
  const fields: { label: string; lines: string[] }[] = [];
  for (const { code, lines } of codeBlocks(text))
    for (const [at, line] of lines.entries()) {
      const label = code || lines[at + 1]?.trim() !== "" ? undefined : /^### (.*\S)/.exec(line)?.[1];
      const field = fields.at(-1);
      if (label !== undefined) fields.push({ label, lines: [] });
      else if (field === undefined) return null;
      else field.lines.push(line);
    }
  if (fields.length < 2) return null;
  return fields.map(({ label, lines }) => {
    const value = lines.join("\n").trim();
    return { label, value: value === EMPTY ? "" : value };
  });
}
