/** The agent of a branch. `attempt` is 1 for the first branch of the issue, then 2, 3, … */
export interface BranchName {
  readonly role: string;
  readonly number: number;
  readonly attempt: number;
}

/**
 * Returns a branch name by the pattern of `branches` (`{role}` and `{number}`); a later attempt's ends with
 * `-<attempt>`.
 */
export function printBranch(pattern: string, branch: BranchName): string {
  const name = pattern.replaceAll("{role}", branch.role).replaceAll("{number}", String(branch.number));
  return branch.attempt > 1 ? `${name}-${branch.attempt}` : name;
}

/** Parses a name that `printBranch` returned; undefined when it does not match the pattern. Case matters, as in git. */
export function parseBranch(pattern: string, name: string): BranchName | undefined {
  const groups = patternExpression(pattern).exec(name)?.groups;
  const { role, number, attempt } = groups ?? {};
  if (role === undefined || number === undefined) return undefined;
  const parsed = { role, number: Number(number), attempt: attempt === undefined ? 1 : Number(attempt) };
  return Number.isSafeInteger(parsed.number) && Number.isSafeInteger(parsed.attempt) ? parsed : undefined;
}

/** Returns the issue in the name of one of our branches; undefined for every other branch. */
export function branchIssue(pattern: string, name: string): number | undefined {
  return parseBranch(pattern, name)?.number;
}

function patternExpression(pattern: string): RegExp {
  const groups: Record<string, string> = {
    "{role}": "(?<role>[A-Za-z0-9_][A-Za-z0-9._-]*?)",
    "{number}": "(?<number>[1-9][0-9]*)",
  };
  const seen = new Set<string>();
  const source = pattern.split(/(\{role\}|\{number\})/).map((part) => {
    const group = groups[part];
    if (group === undefined) return part.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
    if (seen.has(part)) return `\\k<${part.slice(1, -1)}>`;
    seen.add(part);
    return group;
  });
  return new RegExp(`^${source.join("")}(?:-(?<attempt>[2-9]|[1-9][0-9]+))?$`);
}
