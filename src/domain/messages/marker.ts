import { unlessClosed } from "./own-comment.ts";

/**
 * The hidden line by which we find again what we wrote on GitHub. `key` names the one thing that the text stands
 * for; `mac` (lower-case hexadecimal) proves that we wrote it and is made and checked where the secret is.
 */
export interface Marker {
  readonly key: string;
  readonly mac: string;
}

const ANY_MARKER = /<!--\s*flotilla:[^>]*>?/g;
const MARKER = /<!-- flotilla:v1 key=(\S+) mac=([0-9a-f]+) -->/g;

/**
 * Returns the marker as an HTML comment on one line. The key may hold any text: what could end the comment is encoded.
 */
export function printMarker(marker: Marker): string {
  return `<!-- flotilla:v1 key=${encodeURI(marker.key).replaceAll("--", "%2D%2D")} mac=${marker.mac} -->`;
}

/** Returns the last marker in a text, since ours is always put last; undefined when there is none that can be read. */
export function parseMarker(body: string): Marker | undefined {
  const [, key, mac] = [...body.matchAll(MARKER)].at(-1) ?? [];
  if (key === undefined || mac === undefined) return undefined;
  try {
    return { key: decodeURI(key), mac };
  } catch {
    return undefined;
  }
}

/**
 * Returns the text with the marker as its last line; whatever looks like a marker of ours is taken out of the text
 * first.
 */
export function withMarker(body: string, marker: Marker): string {
  const text = body.replaceAll(ANY_MARKER, unlessClosed).trimEnd();
  return `${text}\n\n${printMarker(marker)}`;
}
