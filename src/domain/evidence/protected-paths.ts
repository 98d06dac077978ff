/**
 * Those of the paths that a pattern of `policy.protected_paths` matches. `**` stands for any number of directories, `*`
 * for any characters but `/`, `?` for one; a pattern matches the whole path from the top of the repository.
 */
export function protectedAmong(paths: readonly string[], patterns: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  const expressions = patterns.map(expressionOf);
  return paths.filter((path) => expressions.some((expression) => expression.test(path)));
}

/** Case does not matter: on some file systems it does not, and a name that differs only so is no other file there. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(/^\/+/, "").replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (part) => {
    switch (part) {
      case "**/":
        return "(?:.*/)?";
      case "**":
        return ".*";
      case "*":
        return "[^/]*";
      case "?":
        return "[^/]";
      default:
        return `\\${part}`;
    }
  });
  return new RegExp(`^${source}$`, "is");
}
