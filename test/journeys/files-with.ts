import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Which files below the directories hold one of the secrets, as they are in bytes; and how many were searched. */
export function filesWith(
  directories: readonly string[],
  secrets: readonly (string | RegExp)[],
): { leaks: string[]; searched: number } {
  const files = directories.flatMap((directory) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const leaks = files.filter((file) => {
    const text = readFileSync(file, "latin1");
    return secrets.some((secret) => (typeof secret === "string" ? text.includes(secret) : secret.test(text)));
  });
  return { leaks, searched: files.length };
}
