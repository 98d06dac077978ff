const pattern = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:([\w-]+\/[\w.-]+))?#(\d+)\b/gi;

/** Returns the issues of `repository` (owner/name) that a text says it closes, such as "Fixes #2". */
export function closingWords(text: string, repository: string): number[] {
  const numbers = [...text.matchAll(pattern)]
    .filter(([, other]) => other === undefined || other.toLowerCase() === repository.toLowerCase())
    .map(([, , number]) => Number(number));
  return [...new Set(numbers)];
}
