import { createHash } from "node:crypto";
import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  MOST_SKILL_FILES,
  SKILL_FILE,
  type Skill,
  type SkillEntry,
  skillContent,
  skillHead,
  unreadSkill,
} from "../domain/instructions/skill.ts";
import { messageOf } from "../domain/kernel/errors.ts";
import { readFrontMatter } from "./front-matter.ts";

/** The operator's folder of skills, in the directory of role files. */
const SKILLS = "skills";

/** Returns the names of the operator's skills, also of those that cannot be used. */
export function skillNames(directory: string): readonly string[] {
  return entriesOf(join(directory, SKILLS))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name);
}

/** Reads a skill of the operator, or says why no agent gets it. Follows no link; never throws. */
export function readSkill(
  name: string,
  place: { readonly directory: string; readonly directoryWritten: string },
): Skill | { readonly notice: string } {
  const path = join(SKILLS, name);
  const refused = (fault: string) => ({
    notice: `${join(place.directoryWritten, path)}: ${fault}; no agent gets this skill.`,
  });
  const top = join(place.directory, path);
  try {
    if (lstatSync(top).isSymbolicLink()) return refused("is a link and is not followed");
    const entries = entriesBelow(top);
    const unread = unreadSkill(name, entries);
    if (unread !== null) return refused(unread);
    const files = entries.map((entry) => ({
      path: entry.path,
      text: readFileSync(join(top, entry.path), "utf8"),
    }));
    const main = files.find((file) => file.path === SKILL_FILE)?.text ?? "";
    const head = skillHead(name, files, readFrontMatter(main).data);
    if ("fault" in head) return refused(head.fault);
    const hash = createHash("sha256").update(skillContent(files)).digest("hex");
    return { name, description: head.description, from: "operator", path, hash, files };
  } catch (error) {
    return refused(`cannot be read (${messageOf(error)})`);
  }
}

/** Lists the files below a folder, in order of their paths. */
function entriesBelow(top: string): readonly SkillEntry[] {
  const found: SkillEntry[] = [];
  const todo = [""];
  for (let folder = todo.shift(); folder !== undefined; folder = todo.shift()) {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) todo.push(path);
      else found.push({ path, kind: kindOf(entry), bytes: lstatSync(join(top, path)).size });
    }
    if (found.length + todo.length > MOST_ENTRIES) throw new Error("too many files and folders");
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Folders on the way to the files count too. */
const MOST_ENTRIES = 4 * MOST_SKILL_FILES;

function kindOf(entry: Dirent): SkillEntry["kind"] {
  return entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "special file";
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
