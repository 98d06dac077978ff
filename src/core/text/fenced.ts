import { visibleText } from "./safe/visible.ts";

/** Text of others as a block of code that nothing in it can break out of, with nothing in it that is not seen. */
export function fenced(given: string): string {
  const text = visibleText(given);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
