/**
 * Wraps a paragraph into lines of at most `width` characters, each with `indent`. A longer word gets a longer
 * line.
 */
export function wrap(paragraph: string, width: number, indent = ""): readonly string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(indent + word);
  }
  return lines;
}
