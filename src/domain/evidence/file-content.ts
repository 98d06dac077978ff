import type { FileContent } from "../ports/changed-file.ts";

export const textOf = (content: FileContent | null) => (content?.kind === "text" ? content.text : null);

export const lengthOf = (content: FileContent | null) => textOf(content)?.length ?? 0;

/** Adds `by` to the number of each text. */
export function count(counts: Map<string, number>, texts: readonly string[], by: number): void {
  for (const one of texts) counts.set(one, (counts.get(one) ?? 0) + by);
}
