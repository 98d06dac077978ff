/** Returns whether git and GitHub accept the name of a branch and nothing in it could pass for an option or a path. */
export function isBranchName(name: string): boolean {
  return name.length <= 200 && name.split("/").every(isPart);
}

function isPart(part: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part) && !/\.\.|\.$|\.lock$/.test(part);
}
