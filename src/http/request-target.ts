/** The target of a request. */
export interface RequestTarget {
  /** As it was sent, without the query. */
  readonly path: string;
  /** The parts of the path after its first slash, each decoded. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * Parses the target of a request. Returns null if it cannot be decoded, and for every form except `/path?query`: the
 * absolute form would bring a second host, and is meant for proxies. Dot segments are not resolved, so they match no
 * route.
 */
export function readTarget(url: string | undefined): RequestTarget | null {
  if (url === undefined || !url.startsWith("/")) return null;
  const end = url.indexOf("?");
  const path = end === -1 ? url : url.slice(0, end);
  const query = end === -1 ? "" : url.slice(end + 1);
  const segments = path.slice(1).split("/").map(decode);
  // `URLSearchParams` replaces what it cannot decode instead of refusing it.
  if (decode(query) === null || !segments.every((segment) => segment !== null)) return null;
  return { path, segments, query: new URLSearchParams(query) };
}

/** Returns null also for a text with a NUL character, which no name has and which databases refuse. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes("\0") ? null : decoded;
  } catch {
    return null;
  }
}
