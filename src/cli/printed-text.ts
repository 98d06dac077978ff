import type { Redact } from "../domain/access/redact.ts";
import { cleanText } from "../domain/messages/printable.ts";
import { withoutHiddenCharacters } from "../domain/safe-text/without-hidden-characters.ts";
import { COLOUR } from "../domain/sessions/fingerprint.ts";

/** Characters. An output is far shorter, its end counts, and cleaning a text keeps its beginning. */
const MOST = 100_000;

/**
 * Returns what a tried command printed, as people see it: without colours, secrets and these directories of the host, which a
 * pull request would show. `names` = directories and what stands for them; one that contains another comes after it.
 */
export function printedText(
  text: string,
  names: readonly (readonly [directory: string, name: string])[],
  redact: Redact,
): string {
  // What nobody sees goes first: within a directory's name it would hide it from us alone.
  const seen = withoutHiddenCharacters(text.replaceAll(COLOUR, ""));
  const named = names.reduce((left, [directory, name]) => left.replaceAll(directory, name), seen);
  return cleanText(named, redact, MOST);
}
