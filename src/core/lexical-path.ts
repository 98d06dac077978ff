/** The absolute path of `path` as seen from an absolute `directory`, with `.` and `..` resolved by their looks. */
export function normalPath(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${directory}/${path}`).split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return `/${parts.join("/")}`;
}

/** Whether a path leads out of the worktree, or cannot be told: a variable, a home, an unknown directory. */
export function outsideOf(worktree: string, directory: string | null, path: string): boolean {
  if (/[$`~]/.test(path)) return true;
  if (directory === null && !path.startsWith("/")) return true;
  const absolute = normalPath(directory ?? "/", path);
  return absolute !== worktree && !absolute.startsWith(`${worktree}/`);
}
