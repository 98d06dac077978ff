import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Skill } from "../../../domain/instructions/skill.ts";

const FOR_READING = 0o444;
const FOR_LISTING = 0o555;

/**
 * Writes each skill into a folder of its name in an empty directory of ours. Where no sandbox keeps agents from writing
 * there, permissions do.
 */
export async function writeSkills(directory: string, skills: readonly Skill[]): Promise<void> {
  const made = new Set<string>();
  for (const { name, files } of skills) {
    for (const { path, text } of files) {
      const file = join(directory, name, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // Fails where there is anything already: nothing is followed or overwritten.
      await writeFile(file, text, { flag: "wx", mode: FOR_READING });
      for (let at = dirname(file); at !== directory; at = dirname(at)) made.add(at);
    }
  }
  for (const path of [...made].toSorted((one, other) => other.length - one.length))
    await chmod(path, FOR_LISTING);
}
