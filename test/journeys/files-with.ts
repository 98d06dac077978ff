import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the files below the directories that contain one of the texts, comparing bytes. */
export function filesWith(directories: readonly string[], texts: readonly (string | RegExp)[]): string[] {
  const files = directories.flatMap((directory) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return files.filter((file) => {
    const bytes = readFileSync(file, "latin1");
    return texts.some((text) => (typeof text === "string" ? bytes.includes(text) : text.test(bytes)));
  });
}
