/** Longer ones are cut. */
const LONGEST = 200;

/** Text of others in a table cell, a list or a fold: one line that breaks out of none of them, and is not endless. */
export function oneLine(text: string): string {
  const flat = text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/<(?=\/?(?:details|summary)|!--)/gi, "&lt;")
    .replace(/(?<!\\)\|/g, "\\|");
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST - 1)}…` : flat;
}
