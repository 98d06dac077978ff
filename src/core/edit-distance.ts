/** Levenshtein's distance between two words, in single-character edits. */
export function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let line = 1; line <= left.length; line += 1) {
    const current = [line];
    for (let column = 1; column <= right.length; column += 1) {
      const substituted = (above[column - 1] ?? 0) + (left[line - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substituted, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
