/**
 * Returns the paths that a pattern of `policy.protected_paths` protects. `**` matches any number of directories, `*`
 * any characters but `/`, `?` one. A pattern whose last name has no wildcard, or that ends with `/` or `/**`, protects
 * that name and everything below it. Case does not matter: some file systems ignore it, and on the others a name that
 * differs only in case is rarely another file.
 */
export function protectedAmong(paths: readonly string[], patterns: readonly string[]): readonly string[] {
  const match = matcher(patterns.flatMap(formsOf));
  return paths.filter(match);
}

/**
 * Returns the protected paths among those of files, as git lists them. A file in the place of a directory on the way to
 * a protected path is among them; so is one of `links`, links and submodules, where a wildcard stands for that directory.
 */
export function protectedFiles(
  paths: readonly string[],
  patterns: readonly string[],
  links: ReadonlySet<string> = new Set(),
): readonly string[] {
  const all = patterns.flatMap(formsOf);
  const parents = all.flatMap(parentsOf);
  const match = matcher([...all, ...parents.filter(({ text }) => !WILDCARD.test(text))]);
  const matchLink = matcher(parents);
  return paths.filter((path) => match(path) || (links.has(path) && matchLink(path)));
}

/** Returns what is wrong with a pattern, and what to write instead; null for one that means what it says. */
export function patternFault(pattern: string): string | null {
  return FAULTS.find(({ found }) => found.test(pattern))?.says ?? null;
}

const FAULTS: readonly { readonly found: RegExp; readonly says: string }[] = [
  { found: /^\s|\s$/, says: "starts or ends with a space; remove it." },
  {
    found: /^!/,
    says: "starts with !, and a pattern cannot make an exception; write only patterns of what is protected.",
  },
  { found: /[\p{Cc}\p{Cf}]/u, says: "has an invisible character; remove it, or write ? in its place." },
  { found: /\\/, says: "has a backslash; write / between directories." },
  {
    found: /^\//,
    says: "starts with /; write the path from the top of the repository without it, or ** for all files.",
  },
  { found: /\/\//, says: "has //; write one /." },
  {
    found: /(?:^|\/)\.\.?(?:\/|$)/,
    says: "has . or .. as a directory; write the path from the top of the repository.",
  },
  { found: /[{}]/, says: "has braces, which are not supported; write one pattern for each alternative." },
  {
    found: /[[\]]/,
    says: "has brackets, which are not supported; write ? for any one character, or one pattern for each alternative.",
  },
];

const WILDCARD = /[*?]/;

interface Pattern {
  /** In lower case. */
  readonly text: string;
  /** Whether everything below what it matches is protected too. */
  readonly below: boolean;
}

/** Returns a pattern as each system writes it: macOS writes an accent as a character of its own, others rarely do. */
const formsOf = (written: string): readonly Pattern[] =>
  [...new Set([written.normalize("NFC"), written.normalize("NFD")])].map(patternOf);

function patternOf(written: string): Pattern {
  const text = written.toLowerCase().replace(/(?:\/\*\*|\/)+$/, "");
  const name = text.slice(text.lastIndexOf("/") + 1);
  return { text, below: text.length < written.length || !WILDCARD.test(name) };
}

/** Returns a pattern for each directory on the way to what a pattern matches. */
function parentsOf({ text }: Pattern): readonly Pattern[] {
  const names = text.split("/");
  return names
    .slice(0, -1)
    .map((_, index) => ({ text: names.slice(0, index + 1).join("/"), below: false }))
    .filter((parent) => !/^[*/]*$/.test(parent.text));
}

/** Returns a test whether one of the patterns protects a path. */
function matcher(patterns: readonly Pattern[]): (path: string) => boolean {
  const all = patterns.map(({ text, below }) => ({ parts: text.match(/\*\*\/|\*\*|[^]/g) ?? [], below }));
  let ends = new Uint8Array(0);
  return (path) => {
    const small = path.toLowerCase();
    if (ends.length <= small.length) ends = new Uint8Array(2 * small.length + 1);
    return all.some(({ parts, below }) => matches(parts, small, below, ends));
  };
}

const SLASH = 47;

/**
 * Matches a path one part of the pattern at a time. `ends` is memory: `ends[at]` is 1 where the parts so far match the
 * first `at` characters of the path, for each `at` from `first` to `last`. The time is that of parts times characters.
 * Agents choose the paths, and a regular expression with three wildcards would backtrack for seconds on a long one.
 */
function matches(parts: readonly string[], path: string, below: boolean, ends: Uint8Array): boolean {
  let [first, last] = [0, 0];
  ends[0] = 1;
  for (const part of parts) {
    const before = last;
    if (part === "**") {
      last = path.length;
      ends.fill(1, first, last + 1);
    } else if (part === "**/" || part === "*") {
      const isName = part === "*";
      for (let at = first + 1; at <= path.length; at += 1) {
        const isSlash = path.charCodeAt(at - 1) === SLASH;
        const grows = isName ? !isSlash && ends[at - 1] === 1 : isSlash;
        if (grows) last = Math.max(last, at);
        else if (isName && at > before) break;
        ends[at] = grows || (at <= before && ends[at] === 1) ? 1 : 0;
      }
    } else {
      const wanted = part === "?" ? null : part.charCodeAt(0);
      let lowest = -1;
      last = -1;
      for (let at = Math.min(before + 1, path.length); at > first; at -= 1) {
        const code = path.charCodeAt(at - 1);
        const fits = ends[at - 1] === 1 && (wanted === null ? code !== SLASH : code === wanted);
        ends[at] = fits ? 1 : 0;
        if (fits) [lowest, last] = [at, Math.max(last, at)];
      }
      if (lowest === -1) return false;
      first = lowest;
    }
  }
  if (last === path.length || !below) return last === path.length;
  for (let at = first; at <= last; at += 1) if (ends[at] === 1 && path.charCodeAt(at) === SLASH) return true;
  return false;
}
