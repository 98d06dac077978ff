/** A word of a source document, ours for it, and what differs. */
export type Word = readonly [theirs: string, ours: string, note: string];

/** The words of one document as a section of docs/lifecycles.md. */
export function wordsSection(title: string, words: readonly Word[]): string {
  return [
    `### ${title}`,
    "",
    "| the document's word | ours | note |",
    "|---|---|---|",
    ...words.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}
