/**
 * Returns the index of the first of these sorted texts that is not before `text`; their number if all are before it.
 */
export function lowerBound(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (String(sorted[middle]) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
