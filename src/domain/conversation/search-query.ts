/** Qualifiers that only narrow a search within a repository. */
const NARROWING = new Set(["is", "state", "label", "in", "type"]);
/** Qualifiers that say where GitHub searches. The host alone says that. */
const PLACES = new Set(["repo", "org", "user", "owner", "enterprise", "project", "team"]);

/** A word with a name before a colon, such as `-label:bug`. */
const QUALIFIER = /^[-"]*([A-Za-z-]+):(?=\S)/;

/**
 * Returns what GitHub's search may be asked for a model's words: only words, phrases and qualifiers that narrow. All that could
 * widen the search beyond the repository (places, OR, brackets) is refused or read as plain words.
 */
export function searchQuery(words: string): { readonly query: string } | { readonly fault: string } {
  const parts = withoutBrackets(words).split(/\s+/);
  const place = parts.find((part) => PLACES.has(nameOf(part)));
  if (place !== undefined)
    return {
      fault: `The search is of this repository alone: leave ${nameOf(place)}: out. It takes words, "phrases", is:open, is:closed, is:issue, is:pr and label:name.`,
    };
  const query = parts.map(asPlain).join(" ").replace(/\s+/g, " ").trim();
  return /[\p{L}\p{N}]/u.test(query)
    ? { query }
    : { fault: "There is no word to search for: write some that the other issue would have too." };
}

/** Removes quotation marks too where they are not in pairs: an open phrase would take in what follows it. */
function withoutBrackets(words: string): string {
  const bare = words.replace(/[()\\]/g, " ");
  return (bare.split('"').length - 1) % 2 === 0 ? bare : bare.replaceAll('"', " ");
}

const nameOf = (part: string): string => (QUALIFIER.exec(part)?.[1] ?? "").toLowerCase();

function asPlain(part: string): string {
  if (/^"*(?:AND|OR|NOT)"*$/.test(part)) return part.toLowerCase();
  const [name = "", ...others] = part.split(":");
  return NARROWING.has(nameOf(part)) ? `${name}:${others.join(" ")}` : [name, ...others].join(" ");
}
