import { closed } from "./untrusted.ts";

/** Room for the note that says what is missing. */
const NOTE = 40;

/** The beginning of a text of more than `most` (at least 60) characters, and how much is missing. */
export function cutHead(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(0, most - NOTE);
  return closed(`${text.slice(0, kept).toWellFormed()}… (cut: ${text.length - kept} characters)`);
}

/** The end of a text, as of a log, and how much before it is missing. */
export function cutTail(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(0, most - NOTE);
  return `(cut: ${text.length - kept} characters) …${text.slice(text.length - kept).toWellFormed()}`;
}
