/** What is wrong with a pattern of branch names; undefined when it is fine. */
export function branchPatternFault(pattern: string): string | undefined {
  if (!pattern.includes("{role}") || !pattern.includes("{number}")) {
    return "needs {role} and {number}, so that every agent has its own branch";
  }
  const name = pattern.replaceAll("{role}", "role").replaceAll("{number}", "1");
  if (/[{}]/.test(name)) return "knows only {role} and {number}";
  const parts = name.split("/");
  const legal = parts.every(
    (part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part) && !/\.\.|\.$|\.lock$/.test(part),
  );
  return legal
    ? undefined
    : "does not make a legal branch name: use letters, digits, and single - _ . / inside";
}
