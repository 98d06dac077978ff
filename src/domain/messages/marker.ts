import { unlessClosed } from "./own-comment.ts";

/**
 * The hidden line by which we recognize our own texts on GitHub. `key` names the subject of the text; `mac` (lower-case
 * hexadecimal) proves that we wrote it. The code that holds the secret makes and checks it.
 */
export interface Marker {
  readonly key: string;
  readonly mac: string;
}

const ANY_MARKER = /<!--\s*flotilla:[^>]*>?/g;
const MARKER = /<!-- flotilla:v1 key=(\S+) mac=([0-9a-f]+) -->/g;

/**
 * Returns the marker as an HTML comment on one line. The key may be any text: characters that could end the comment are
 * encoded.
 */
export function printMarker(marker: Marker): string {
  return `<!-- flotilla:v1 key=${encodeURI(marker.key).replaceAll("--", "%2D%2D")} mac=${marker.mac} -->`;
}

/** Returns the last marker in a text, since ours is always last; undefined when none can be read. */
export function parseMarker(body: string): Marker | undefined {
  const [, key, mac] = [...body.matchAll(MARKER)].at(-1) ?? [];
  if (key === undefined || mac === undefined) return undefined;
  try {
    return { key: decodeURI(key), mac };
  } catch {
    return undefined;
  }
}

/** Returns the text with the marker as its last line, after removing anything that looks like a marker of ours. */
export function withMarker(body: string, marker: Marker): string {
  const text = body.replaceAll(ANY_MARKER, unlessClosed).trimEnd();
  return `${text}\n\n${printMarker(marker)}`;
}
