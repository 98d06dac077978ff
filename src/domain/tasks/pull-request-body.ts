/** Returns the body of a pull request: the agent's text, and the one closing line that links it to its issue. */
export function pullRequestBody(words: string, issue: number): string {
  const closes = `Closes #${issue}`;
  const named = new RegExp(`\\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\\s+#${issue}\\b`, "i");
  const text = words.trim();
  return named.test(text) ? text : `${text}\n\n${closes}`.trim();
}
