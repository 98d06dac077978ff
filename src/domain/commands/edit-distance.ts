/** Returns the Levenshtein distance between two words, in single-character edits. */
export function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length }, (_, column) => column + 1);
  let distance = right.length;
  for (const [line, letter] of left.split("").entries()) {
    let diagonal = line;
    distance = line + 1;
    const current: number[] = [];
    for (const [column, over] of above.entries()) {
      const substituted = diagonal + (letter === right[column] ? 0 : 1);
      distance = Math.min(substituted, over + 1, distance + 1);
      diagonal = over;
      current.push(distance);
    }
    above = current;
  }
  return distance;
}
